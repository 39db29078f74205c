import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import faultRule from "../schemas/admin/fault-rule.json" with { type: "json" };
import { schemasOfMessages } from "../src/build/from-schemas.mjs";
import { type Command, type CommandName, commands } from "../src/cli/commands.js";
import { adminCallIds, adminCalls } from "../src/fake/contract/admin-calls.js";
import { kindNames } from "../src/fake/contract/fault-kinds.js";
import { placeholders } from "../src/fake/contract/profile.js";
import { flagName, tokenVariables, variableName, variables } from "../src/options/names.js";
import { optionNames } from "../src/options/option-table.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (page: string) => readFileSync(join(root, page), "utf8");
const docs = readdirSync(join(root, "docs"))
  .filter((name) => name.endsWith(".md"))
  .map((name) => `docs/${name}`);
const shipped = ["README.md", "CHANGELOG.md", "SECURITY.md", ...docs];
const { files }: { files: readonly string[] } = JSON.parse(read("package.json"));
const isShipped = (path: string) => [...files, "README.md", "LICENSE"].includes(path.split("/")[0] ?? "");

const withoutCode = (page: string) => read(page).replace(/^```.*?^```$/gms, "");
/** The anchors that GitHub creates for headings. */
const anchorsOf = (page: string) =>
  [...withoutCode(page).matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
/** The targets of links and images. */
const linksOf = (page: string) =>
  [
    ...withoutCode(page)
      .replace(/`[^`\n]*`/g, "")
      .matchAll(/\]\(([^)\s]+)\)/g),
  ].map(([, target = ""]) => target);

const fakeReadme = "src/fake/README.md";

describe.each([...shipped, "CONTRIBUTING.md", fakeReadme])("%s", (page) => {
  it("has no broken links, also where the package is installed", () => {
    const broken = linksOf(page).filter((target) => {
      if (/^https?:/.test(target)) return false;
      const [path = "", anchor] = target.split("#");
      const file = path === "" ? page : relative(root, join(root, dirname(page), path));
      if (!existsSync(join(root, file)) || (shipped.includes(page) && !isShipped(file))) return true;
      return anchor !== undefined && !anchorsOf(file).includes(anchor);
    });
    expect(broken).toEqual([]);
    const images = [...read(page).matchAll(/(?:src|srcset)="([^"]+)"/g)].map(([, file = ""]) => file);
    expect(images.filter((file) => !existsSync(join(root, dirname(page), file)))).toEqual([]);
  });
});

/** A command line of ours on a page: the name of the command, and its words up to `--` or the end of the command. */
interface CommandLine {
  readonly text: string;
  readonly name: CommandName;
  readonly words: readonly string[];
  /** The command after `--`. */
  readonly runs: readonly string[];
}

const isCommand = (word: string): word is CommandName => Object.hasOwn(commands, word);

/** In blocks and in the text: `npx usergroup-mock …`, `exec --set …`. */
function commandLinesOf(page: string): readonly CommandLine[] {
  const joined = read(page).replaceAll("\\\n", " ");
  const names = Object.keys(commands).join("|");
  const whole = joined.matchAll(/npx usergroup-mock((?: [^\n`]*)?)/g);
  const short = joined.matchAll(new RegExp(`\`((?:${names}) --[^\`\n]*)\``, "g"));
  return [...whole, ...short].map(([text, line = ""]) => {
    const [command = ""] = line.split(/ (?:&&?|\|\|?|;|#) ?/);
    const words: readonly string[] = command.match(/"[^"]*"|'[^']*'|[^\s"']+/g) ?? [];
    const [first = ""] = words;
    const end = words.includes("--") ? words.indexOf("--") : words.length;
    const name = isCommand(first) ? first : "serve";
    return { text, name, words: words.slice(isCommand(first) ? 1 : 0, end), runs: words.slice(end + 1) };
  });
}

/** What is wrong with the words of a command, as the command line would say. */
function problemsOf({ name, words, runs }: CommandLine): readonly string[] {
  const { flags: own, serverFlags }: Command = commands[name];
  const flags = Object.entries({ ...own, ...serverFlags });
  const problems: string[] = [];
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const [, flag] = flags.find(([long, { alias }]) => word === flagName(long) || word === `-${alias}`) ?? [];
    if (flag === undefined) problems.push(`${name} has no ${word}`);
    else if (flag.type !== "boolean" && /^(-.*)?$/.test(rest.shift() ?? ""))
      problems.push(`${word} needs a value`);
  }
  if (/^(exec|explore)$/.test(name) && runs.length === 0) problems.push(`${name} needs a command after --`);
  return problems;
}

describe("the commands of the pages", () => {
  const all = [...shipped, "CONTRIBUTING.md"].flatMap((page) =>
    commandLinesOf(page).map((line) => ({ page, ...line })),
  );

  it("are found, with the command after --", () => {
    expect(all.length).toBeGreaterThan(30);
    expect(new Set(all.map(({ name }) => name))).toEqual(
      new Set(["serve", "exec", "health", "explore", "verify"]),
    );
  });

  it("have only flags of their command, with values", () => {
    // In a sentence, a command may end after the flag that it is about.
    const isInSentence = ({ text }: CommandLine) => !text.startsWith("npx");
    const isShortened = /^(\S+ needs a value|\w+ needs a command after --)$/;
    const problems = all.flatMap((line) =>
      problemsOf(line)
        .filter((problem) => !(isInSentence(line) && isShortened.test(problem)))
        .map((problem) => `${line.page}: ${line.text}: ${problem}`),
    );
    expect(problems).toEqual([]);
  });

  it("would not pass with a flag of another command, without its value, or without a command", () => {
    const line = (name: CommandName, ...words: string[]) => ({ text: "", name, words, runs: [] });
    expect(problemsOf(line("health", "--report", "report.html"))).toEqual([
      "health has no --report",
      "health has no report.html",
    ]);
    expect(problemsOf(line("verify", "--out", "--yes"))).toEqual(["--out needs a value"]);
    expect(problemsOf(line("exec"))).toEqual(["exec needs a command after --"]);
  });
});

const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => readFileSync(join(root, "src", name), "utf8"));

describe(fakeReadme, () => {
  it("names every file of the fake, and no other", () => {
    const files = readdirSync(join(root, "src/fake"), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => basename(name, ".ts"));
    const [, list = ""] = read(fakeReadme).split("## Files");
    const named = [...list.matchAll(/`([\w-]+)`/g)].map(([, name = ""]) => name);
    expect(files.filter((name) => !named.includes(name))).toEqual([]);
    expect(named.filter((name) => !files.includes(name))).toEqual([]);
  });
});

/** Flags of docker, curl, git, gh, npm, Node, test frameworks and other programs on the pages. */
const flagsOfOthers =
  "--body --build-arg --create --external --fail-with-body --force --format --head --help --import --message --method --no-bail --package-lock-only --parallel --publish --read-only --require --requirement --retry --rm --save-dev --spec --tag --test --title".split(
    " ",
  );

describe("package.json", () => {
  it("names one repository, whose owner the release workflow checks", () => {
    const { repository, homepage, bugs } = JSON.parse(read("package.json"));
    const [, name = ""] = /^git\+https:\/\/github\.com\/(\S+)\.git$/.exec(repository.url) ?? [];
    const url = `https://github.com/${name}`;
    expect({ homepage, bugs }).toEqual({ homepage: `${url}#readme`, bugs: `${url}/issues` });
    const others = [...shipped, "CONTRIBUTING.md", ".github/workflows/release.yml", "SECURITY.md"];
    expect(others.filter((file) => read(file).includes(name))).toEqual([]);
  });
});

describe("the pages", () => {
  it("have a row for each kind of fault", () => {
    const rows = [
      ...read("docs/faults-and-races.md").matchAll(/^\| `(\w+)(?:: true)?` \| (?:a|the|half|200)/gm),
    ].map(([, kind]) => kind);
    expect(rows).toEqual(expect.arrayContaining([...kindNames]));
    expect(rows.filter((row) => !(`${row}` in faultRule.properties))).toEqual([]);
  });

  it("list the placeholders of a profile", () => {
    const page = read("docs/profile.md");
    expect(Object.keys(placeholders).filter((name) => !page.includes(`{${name}}`))).toEqual([]);
  });

  it("have JSON that can be parsed", () => {
    const blocks = shipped.flatMap((page) => [...read(page).matchAll(/^```json[^\n]*\n(.*?)^```$/gms)]);
    expect(blocks.length).toBeGreaterThan(5);
    for (const [, text = ""] of blocks) expect(() => JSON.parse(text), text).not.toThrow();
  });

  it("show a sum of explore that adds up, in the words of the code", () => {
    const [, sum = ""] = /^```text sum\n(.*)\n```$/m.exec(read("docs/explore.md")) ?? [];
    const [, total, requests, kinds, parts = ""] =
      /^(\d+) failures \((\d+) requests × (\d+) kinds\) in \d+ runs: (.*?)\. The runs/.exec(sum) ?? [];
    expect(Number(requests) * Number(kinds)).toBe(Number(total));
    const counts = [...parts.matchAll(/(?:^|, )(\d+) (.*?)(?=, \d|$)/g)];
    expect(counts.reduce((added, [, count]) => added + Number(count), 0)).toBe(Number(total));
    const words = counts.map(([, , name = ""]) => name);
    expect(words.filter((name) => !sources.some((source) => source.includes(`"${name}"`)))).toEqual([]);
  });

  it("name only admin calls that exist, as the schemas do", () => {
    const calls: readonly string[] = adminCallIds.map((id) => adminCalls[id].call);
    const texts = [...shipped.map(read), JSON.stringify(schemasOfMessages())];
    const named = texts.flatMap((text) => [
      ...text.matchAll(/\b(GET|POST|PUT|PATCH|DELETE) \S*\/__admin(\/[\w/{}-]+(?:\.\w+)?)/g),
    ]);
    expect(named.length).toBeGreaterThan(adminCallIds.length);
    expect(
      named.filter(([, method, path]) => !calls.includes(`${method} ${path}`)).map(([all]) => all),
    ).toEqual([]);
  });

  it("name only flags, variables and methods that exist", () => {
    const ours = Object.values(commands).flatMap((command: Command) =>
      Object.keys({ ...command.flags, ...command.serverFlags }),
    );
    const flags = new Set(ours.map(flagName));
    const text = shipped.map(read).join("\n");
    const named = (pattern: RegExp) => [...new Set(text.match(pattern) ?? [])];
    const others = named(/(?<![\w-])--[a-z][a-z-]+/g).filter((flag) => !flags.has(flag));
    expect(others.filter((flag) => !flagsOfOthers.includes(flag))).toEqual([]);
    const known: string[] = [variables, tokenVariables].flatMap((names) => Object.values(names));
    const settings = [...known, ...optionNames.map(variableName)];
    expect(named(/USERGROUP_MOCK_[A-Z_]+/g).filter((name) => !settings.includes(name))).toEqual([]);
    // In other languages, the mock is an object of the page.
    const inOtherLanguages = ["admin", "describe", "fault", "requests", "url"];
    const methods = named(/(?<=\bmock\.)\w+(?=\()/g).filter((name) => !inOtherLanguages.includes(name));
    expect(methods.length).toBeGreaterThan(10);
    const types = read("src/client/world.ts");
    expect(methods.filter((name) => !types.includes(`\n  ${name}(`))).toEqual([]);
  });

  it("explain only messages that exist in the code", () => {
    const quoted = [...read("docs/troubleshooting.md").matchAll(/^\| "([^"]+)"/gm)].map(
      ([, text = ""]) => text,
    );
    expect(quoted).not.toEqual([]);
    expect(quoted.filter((text) => !sources.some((source) => source.includes(text)))).toEqual([]);
  });

  it("exist if a message names them, with their path in node_modules", () => {
    const code = sources.map((text) => text.replace(/\/\*.*?\*\/|^ *\/\/[^\n]*$/gms, ""));
    const named = code.flatMap((text) => text.match(/[\w./-]*docs\/[\w-]+\.md(#[\w-]+)?/g) ?? []);
    expect(named.length).toBeGreaterThan(3);
    for (const name of named) {
      const [page = "", anchor] = name.replace("node_modules/usergroup-mock/", "").split("#");
      expect(name).toMatch(/^node_modules\/usergroup-mock\/docs/);
      expect(docs).toContain(page);
      if (anchor !== undefined) expect(anchorsOf(page)).toContain(anchor);
    }
  });
});
