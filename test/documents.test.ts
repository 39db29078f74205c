import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import faultRule from "../schemas/admin/fault-rule.json" with { type: "json" };
import { schemasOfMessages } from "../src/build/from-schemas.mjs";
import { type Command, commands } from "../src/cli/commands.js";
import { adminCallIds, adminCalls } from "../src/fake/contract/admin-calls.js";
import { kindNames } from "../src/fake/contract/fault-kinds.js";
import { placeholders } from "../src/fake/contract/placeholders.js";
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

/** Flags of docker, curl, npm, Node, test frameworks and other programs on the pages. */
const flagsOfOthers =
  "--build-arg --external --fail-with-body --format --help --import --method --no-bail --package-lock-only --parallel --publish --read-only --require --requirement --retry --rm --save-dev --spec --tag --test".split(
    " ",
  );

describe("the pages", () => {
  it("have a row for each kind of fault", () => {
    const rows = [
      ...read("docs/faults-and-races.md").matchAll(/^\| `(\w+)(?:: true)?` \| (?:a|the|half|200)/gm),
    ].map(([, kind]) => kind);
    expect(rows).toEqual(expect.arrayContaining([...kindNames]));
    expect(rows.filter((row) => !(`${row}` in faultRule.properties))).toEqual([]);
  });

  it("list the placeholders of a profile", () => {
    const page = read("docs/assumptions.md");
    expect(Object.keys(placeholders).filter((name) => !page.includes(`{${name}}`))).toEqual([]);
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
