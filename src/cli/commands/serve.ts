import type { CommandModule } from "yargs";
import { optionNames } from "../../options/option-table.js";
import { readGiven, serverEpilogue, serverFlags } from "../flags.js";
import { refuseFlag } from "../refuse-flag.js";

export const serveCommand: CommandModule = {
  command: "serve",
  aliases: "$0",
  describe: "Run a server until it receives a signal",
  builder: (yargs) =>
    yargs
      // serve has no command to set variables for.
      .options(
        serverFlags(
          "server",
          optionNames.filter((name) => name !== "set"),
        ),
      )
      .example([
        ["# Listen on port 4010\n$0 --port 4010"],
        ["# Use a free port and write the URL to a file\n$0 --port 0 --ready-file url.txt"],
        ["# Start with your own groups\n$0 --fixtures test/groups.json"],
        ["# Accept a token after its rotation\n$0 --assume old-token=accepted"],
      ])
      .epilogue(serverEpilogue),
  async handler(argv) {
    const { server, rest } = readGiven(argv);
    if (rest.length > 0) refuseFlag("serve does not run a command; use usergroup-mock exec -- <command>");
    const { serve } = await import("../serve.js");
    await serve(server);
  },
};
