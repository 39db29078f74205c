import type { CommandModule } from "yargs";
import { countFlag, flagKinds, readGiven, serverFlags } from "../flags.js";
import { urlVariable } from "../names.js";

const healthFlags = {
  url: {
    ...flagKinds.value,
    describe: "URL of the mock, if the other flags do not describe it",
    defaultDescription: `$${urlVariable}`,
  },
  wait: { ...countFlag("--wait", 100_000), describe: "Seconds to wait until the mock is ready" },
};

const askedServerFlags = serverFlags("server", ["port", "host", "tlsCert", "tlsKey", "config"], {
  port: "Port that the mock listens on",
  host: "Address that the mock listens on",
  tlsCert: "Certificate file (PEM) of a mock that uses HTTPS",
  tlsKey: "Private key file (PEM) of the certificate",
  config: "Config file of the mock",
});

export const healthCommand: CommandModule = {
  command: "health",
  describe: "Exit with 0 when a mock answers, otherwise with 1",
  builder: (yargs) =>
    yargs
      .options(healthFlags)
      .group(Object.keys(healthFlags), "Options:")
      .options(askedServerFlags)
      .example([
        ["# Ask the server that the config file and the environment describe\n$0 health"],
        ["# Ask the server at this URL\n$0 health --url http://mock:4010"],
        ["# Wait until the server is ready, at most 30 seconds\n$0 health --wait 30"],
      ]),
  async handler(argv) {
    const { given, own } = readGiven(argv);
    const { health } = await import("../health.js");
    process.exitCode = await health(given.serverFlags, own);
  },
};
