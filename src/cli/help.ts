import { assumptionIds, assumptions, valuesOf } from "../service/assumptions.js";

/** A flag, as help shows it. */
export interface FlagHelp {
  /** `-p, --port <port>` */
  readonly usage: string;
  readonly describe: string;
  readonly fallback?: string | undefined;
}

export interface CommandHelp {
  /** `usergroup-mock exec [flags] -- <command>` */
  readonly usage: string;
  readonly describe: string;
  /** Of the program: what it does, by name. */
  readonly commands: readonly (readonly [name: string, describe: string])[];
  readonly flags: readonly FlagHelp[];
  readonly examples: readonly (readonly [line: string, does: string])[];
  readonly takesServerFlags: boolean;
}

const serverWords =
  "Every flag of the server is also an environment variable (USERGROUP_MOCK_PORT), a key of the config file (port) and an option of startMock. A flag overrides the environment, which overrides the config file. exec and explore use a free port unless you pass --port.";

/** The help of a command, in lines of at most `width` characters. */
export function helpText(help: CommandHelp, width: number): string {
  const flags = help.flags.map(({ usage, describe, fallback }) => [
    usage,
    fallback ? `${describe} (default: ${fallback})` : describe,
  ]);
  const assumed = assumptionIds.map((id) => [`${id}=${valuesOf(id).join("|")}`, assumptions[id].question]);
  const sections = [
    [help.usage],
    wrap(help.describe, width),
    help.commands.length > 0 && ["Commands:", ...table(help.commands, width)],
    ["Flags:", ...table(flags, width)],
    [
      "Examples:",
      ...help.examples.flatMap(([line, does]) => [
        ...commandLines(line, width),
        ...indent(wrap(does, width - 6), 6),
      ]),
    ],
    help.takesServerFlags && wrap(serverWords, width),
    help.takesServerFlags && [
      ...wrap("Assumptions, for --assume id=value; the first value is the default:", width),
      ...table(assumed, width),
    ],
  ];
  return sections
    .filter((section) => section !== false)
    .map((section) => section.join("\n"))
    .join("\n\n");
}

/** The longest name that leaves its description on the same line. */
const nameWidth = 24;

function table(rows: readonly (readonly string[])[], width: number): string[] {
  return rows.flatMap(([name = "", words = ""]) => {
    const lines = indent(wrap(words, width - nameWidth - 4), nameWidth + 4);
    if (name.length > nameWidth) return [`  ${name}`, ...lines];
    const [first = "", ...others] = lines;
    return [`  ${name.padEnd(nameWidth + 2)}${first.trimStart()}`, ...others];
  });
}

/** A command over several lines, so that it can still be copied. */
function commandLines(command: string, width: number): string[] {
  const [first = "", ...others] = wrap(command, width - 6);
  return indent([first, ...indent(others, 2)], 2).map((line, i) => (i < others.length ? `${line} \\` : line));
}

function indent(lines: readonly string[], by: number): string[] {
  return lines.map((line) => " ".repeat(by) + line);
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}
