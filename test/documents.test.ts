import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { assumptionIds } from "../src/contract/assumptions.js";
import { kindNames } from "../src/contract/fault-kinds.js";
import { shippedSchemas } from "../src/generated/shipped-schemas.js";
import { linksIn } from "./links-in.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const docs = readdirSync(join(root, "docs"))
  .filter((name) => name.endsWith(".md"))
  .map((name) => `docs/${name}`);
const pages = ["README.md", "CONTRIBUTING.md", "SECURITY.md", ...docs];
const read = (page: string) => readFileSync(join(root, page), "utf8");
/** The anchors that GitHub creates for headings. */
const anchorsOf = (page: string) =>
  [
    ...read(page)
      .replace(/^```.*?^```$/gms, "")
      .matchAll(/^#+ (.*)$/gm),
  ].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );

const linksOf = (page: string) => linksIn(read(page));

describe.each(pages)("%s", (page) => {
  it("has no broken links", () => {
    const broken = linksOf(page).filter((target) => {
      if (/^https?:/.test(target)) return false;
      const [path = "", anchor] = target.split("#");
      const file = path === "" ? page : relative(root, join(root, dirname(page), path));
      if (!existsSync(join(root, file))) return true;
      return anchor !== undefined && !anchorsOf(file).includes(anchor);
    });
    expect(broken).toEqual([]);
  });

  it("has no duplicate headings", () => {
    const anchors = anchorsOf(page);
    expect(anchors.filter((anchor, i) => anchors.indexOf(anchor) !== i)).toEqual([]);
  });
});

const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => readFileSync(join(root, "src", name), "utf8"));

describe("the pages", () => {
  it("are all linked from the README", () => {
    expect(docs.filter((page) => !linksOf("README.md").includes(page))).toEqual([]);
  });

  it("have every generated table once", () => {
    const all = docs.map(read).join("\n");
    for (const table of ["options", "assumptions", "responses", "admin calls", "failures"]) {
      expect(all.split(`<!-- ${table}: made by npm run generate -->`), table).toHaveLength(2);
    }
  });

  it("count the assumptions correctly", () => {
    for (const page of ["README.md", "docs/assumptions.md"])
      expect(read(page)).toContain(`${assumptionIds.length} assumptions`);
  });

  it("have a row for each kind of fault", () => {
    const rows = [
      ...read("docs/faults-and-races.md").matchAll(/^\| `(\w+)(?:: true)?` \| (?:a|the|half|200)/gm),
    ].map(([, kind]) => kind);
    expect(rows).toEqual(expect.arrayContaining([...kindNames]));
    expect(rows.filter((row) => !(`${row}` in shippedSchemas["fault-rule.json"].properties))).toEqual([]);
  });

  it("explain only messages that exist in the code", () => {
    const quoted = [...read("docs/troubleshooting.md").matchAll(/^\| "([^"]+)"/gm)].map(
      ([, text = ""]) => text,
    );
    expect(quoted).not.toEqual([]);
    expect(quoted.filter((text) => !sources.some((source) => source.includes(text)))).toEqual([]);
  });

  it("exist if a message names them", () => {
    const named = sources.flatMap((text) => text.match(/docs\/[\w-]+\.md(#[\w-]+)?/g) ?? []);
    expect(named.length).toBeGreaterThan(3);
    for (const name of named) {
      const [page = "", anchor] = name.split("#");
      expect(docs).toContain(page);
      if (anchor !== undefined) expect(anchorsOf(page)).toContain(anchor);
    }
  });
});

describe("a page in a message", () => {
  it("has its path in node_modules", () => {
    const code = sources.map((text) => text.replace(/\/\*.*?\*\/|^ *\/\/[^\n]*$/gms, ""));
    const named = code.flatMap((text) => text.match(/[\w./-]*docs\/[\w-]+\.md/g) ?? []);
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((name) => !name.startsWith("node_modules/usergroup-mock/docs/"))).toEqual([]);
  });
});
