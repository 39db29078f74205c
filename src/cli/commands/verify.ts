import type { CommandModule } from "yargs";
import { flagKinds, readGiven } from "../flags.js";
import { tokenVariables } from "../names.js";

const verifyFlags = {
  against: { ...flagKinds.value, describe: "Base URL of the service to verify" },
  "api-token": {
    ...flagKinds.value,
    describe:
      "API token for that service; other users of this machine can see it: prefer a file or a variable",
    defaultDescription: `$${tokenVariables.apiToken}`,
  },
  "api-token-file": { ...flagKinds.value, describe: "File that holds this token and nothing else" },
  "second-api-token": {
    ...flagKinds.value,
    describe: "API token of another team, for the questions about two teams",
    defaultDescription: `$${tokenVariables.secondApiToken}`,
  },
  "second-api-token-file": { ...flagKinds.value, describe: "File that holds this second token" },
  yes: { ...flagKinds.switch, describe: "Confirm that verify may create groups in that service" },
  json: { ...flagKinds.switch, describe: "Print JSON" },
  out: {
    ...flagKinds.value,
    describe: "File to write the found values to, for --assume-file and --expect",
  },
  expect: {
    ...flagKinds.value,
    describe: "File of values that verify found earlier; exit with 1 when one of them has changed",
  },
  rate: {
    ...flagKinds.value,
    describe: "Most requests per second, such as 5 or 0.5",
    defaultDescription: "no limit",
  },
};

export const verifyCommand: CommandModule = {
  command: "verify",
  describe: "Check the documented facts and the assumptions against the real service",
  builder: (yargs) =>
    yargs
      .options(verifyFlags)
      .example([
        [
          "# Save the values that verify found\n$0 verify --against https://service.example \\\n--api-token-file token.txt --yes --out assumptions.json",
        ],
        ["# Start a server with these values\n$0 --assume-file assumptions.json"],
        [
          "# Fail when the service has changed since\n$0 verify --against https://service.example \\\n--api-token-file token.txt --yes --expect assumptions.json",
        ],
      ]),
  async handler(argv) {
    const { own } = readGiven(argv);
    const { verify } = await import("../verify/verify.js");
    process.exitCode = await verify(own);
  },
};
