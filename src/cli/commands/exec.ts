import type { CommandModule } from "yargs";
import { failureNames } from "../../run/injection.js";
import { commandRunner, flagKinds, readGiven } from "../flags.js";

const execFlags = {
  "report-always": { ...flagKinds.switch, describe: "Write the report also when the command succeeds" },
  inject: {
    ...flagKinds.value,
    describe: `One failure at one call of the run, such as rotate:acme#2=lost; failures: ${failureNames.join(", ")}`,
  },
};

export const execCommand: CommandModule = {
  command: "exec",
  describe: "Run a command with a server on a free port",
  builder: (yargs) =>
    commandRunner(yargs, execCommand, execFlags).example([
      ["# Pass USERGROUP_MOCK_URL and USERGROUP_MOCK_API_TOKEN to the tests\n$0 exec -- npm test"],
      ["# Set a variable that your tests read\n$0 exec --set API_URL={url} -- npm test"],
    ]),
  async handler(argv) {
    const { server, own, rest } = readGiven(argv);
    const { exec } = await import("../exec.js");
    process.exitCode = await exec(server, own, rest);
  },
};
