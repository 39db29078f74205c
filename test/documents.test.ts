import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { linksIn } from "./links-in.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const docs = readdirSync(join(root, "docs"))
  .filter((name) => name.endsWith(".md"))
  .map((name) => `docs/${name}`);
const pages = ["README.md", "CONTRIBUTING.md", "SECURITY.md", ...docs];
const read = (page: string) => readFileSync(join(root, page), "utf8");
/** As GitHub makes them from headings. */
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
  it("has links that lead somewhere", () => {
    const broken = linksOf(page).filter((target) => {
      if (/^https?:/.test(target)) return false;
      const [path = "", anchor] = target.split("#");
      const file = path === "" ? page : relative(root, join(root, dirname(page), path));
      if (!existsSync(join(root, file))) return true;
      return anchor !== undefined && !anchorsOf(file).includes(anchor);
    });
    expect(broken).toEqual([]);
  });

  it("has no heading twice, because a link could mean either", () => {
    const anchors = anchorsOf(page);
    expect(anchors.filter((anchor, i) => anchors.indexOf(anchor) !== i)).toEqual([]);
  });
});

const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => readFileSync(join(root, "src", name), "utf8"));

describe("the pages", () => {
  it("are all reachable from the README, and each from the page before it", () => {
    expect(docs.filter((page) => !linksOf("README.md").includes(page))).toEqual([]);
    const followed = new Set<string>();
    let page = "the-client.md";
    while (!followed.has(page)) {
      followed.add(page);
      page = /^Next: \[[^\]]+\]\(([\w-]+\.md)\)$/m.exec(read(`docs/${page}`))?.[1] ?? "missing";
    }
    expect([...followed].map((name) => `docs/${name}`).sort()).toEqual([...docs].sort());
  });

  it("begin with the shortest thing that works: code stands within the first lines", () => {
    for (const page of docs.filter((name) => !name.endsWith("test-frameworks.md"))) {
      const before = read(page).split(/^```/m)[0]?.split("\n").length ?? 0;
      expect(before, page).toBeLessThan(12);
    }
  });

  it("have every table that is made from the code, once", () => {
    const all = docs.map(read).join("\n");
    for (const table of ["options", "assumptions", "admin calls", "failures"]) {
      expect(all.split(`<!-- ${table}: made by npm run generate -->`), table).toHaveLength(2);
    }
  });

  it("explain messages that there are", () => {
    const quoted = [...read("docs/troubleshooting.md").matchAll(/^\| "([^"]+)"/gm)].map(
      ([, text = ""]) => text,
    );
    expect(quoted.length).toBeGreaterThan(8);
    expect(quoted.filter((text) => !sources.some((source) => source.includes(text)))).toEqual([]);
  });

  it("are there when a message names one", () => {
    const named = sources.flatMap((text) => text.match(/docs\/[\w-]+\.md(#[\w-]+)?/g) ?? []);
    expect(named.length).toBeGreaterThan(3);
    for (const name of named) {
      const [page = "", anchor] = name.split("#");
      expect(docs).toContain(page);
      if (anchor !== undefined) expect(anchorsOf(page)).toContain(anchor);
    }
  });
});

describe("a page that a message names", () => {
  it("is the file that users have", () => {
    const code = sources.map((text) => text.replace(/\/\*.*?\*\/|^ *\/\/[^\n]*$/gms, ""));
    const named = code.flatMap((text) => text.match(/[\w./-]*docs\/[\w-]+\.md/g) ?? []);
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((name) => !name.startsWith("node_modules/usergroup-mock/docs/"))).toEqual([]);
  });
});

describe("the README", () => {
  it("is short enough to be read", () => {
    expect(read("README.md").split("\n").length).toBeLessThanOrEqual(250);
  });
});
