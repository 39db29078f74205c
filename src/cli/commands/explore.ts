import type { CommandModule } from "yargs";
import { commandRunner, flagKinds, readGiven } from "../flags.js";

const exploreFlags = {
  faults: {
    ...flagKinds.switch,
    describe: "Find the single failures of the service that your code survives",
  },
  only: {
    ...flagKinds.list,
    describe:
      "Test only this assumption or value, id or id=value; with --faults this failure; may be repeated",
  },
  bail: { ...flagKinds.switch, describe: "Stop at the first run that breaks" },
  json: { ...flagKinds.switch, describe: "Print JSON" },
  strict: { ...flagKinds.switch, describe: "Exit with 1 when a run breaks" },
  concurrency: {
    ...flagKinds.value,
    describe: "Number of parallel runs, each with its own server",
    defaultDescription: "1",
  },
  logs: {
    ...flagKinds.value,
    describe: "Folder for the output of every run",
    defaultDescription: "a temporary one",
  },
  "run-timeout": {
    ...flagKinds.value,
    describe: "Seconds after which a run is ended",
    defaultDescription: "ten times the first run, at least 30",
  },
  "max-runs": {
    ...flagKinds.value,
    describe: "With --faults: the most runs to make",
    defaultDescription: "200",
  },
};

export const exploreCommand: CommandModule = {
  command: "explore",
  describe: "Find the assumptions that your tests depend on, or the failures they survive",
  builder: (yargs) =>
    commandRunner(yargs, exploreCommand, exploreFlags).example([
      ["# Run the tests once for each other value of each assumption\n$0 explore -- npm test"],
      [
        "# Run the tests once for each request and each failure of the service\n$0 explore --faults -- npm test",
      ],
    ]),
  async handler(argv) {
    const { server, own, rest } = readGiven(argv);
    const { explore } = await import("../explore/explore.js");
    process.exitCode = await explore(server, own, rest);
  },
};
