import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { notQuick } from "../vitest.config.js";

const src = fileURLToPath(new URL("../src", import.meta.url));

/** The directories in the order of their imports: a file imports only from directories of later rows, and its own. */
const order = [
  ["cli"],
  ["lab", "frameworks"],
  [""],
  ["client"],
  ["run"],
  ["report"],
  ["options"],
  ["fake/server"],
  ["fake/world"],
  ["fake/service"],
  ["fake/contract"],
  ["foundation"],
];

/** What does not follow from the order. */
const below: Readonly<Record<string, readonly string[]>> = {
  // `bin.ts` starts the command line.
  "": ["cli", "client", "fake/contract", "foundation"],
  frameworks: ["", "client", "run", "options", "report", "fake/contract", "foundation"],
  options: ["fake/contract", "foundation"],
  generated: ["options"],
  inspector: ["report", "fake/contract", "foundation"],
};

function allowedFor(directory: string): readonly string[] {
  const row = order.findIndex((names) => names.includes(directory));
  return below[directory] ?? order.slice(row + 1).flat();
}

/** Modules that only some directories may import. */
const owners: Readonly<Record<string, readonly string[]>> = {
  express: ["fake/server"],
  yargs: ["cli"],
  "node:fs": ["cli", "client", "foundation", "frameworks", "lab", "options", "report", "run"],
  "node:http": ["fake/server", "foundation", "frameworks", "lab"],
};

const files = readdirSync(src, { recursive: true, encoding: "utf8" })
  .map((file) => file.replaceAll(sep, "/"))
  .filter((file) => /\.tsx?$/.test(file));
/** The directory of src/, or of src/fake/, that a file belongs to. */
const directoryOf = (file: string) => /^(fake\/)?[^/]+(?=\/)/.exec(file)?.[0] ?? "";
const codeOf = (file: string) => withoutComments(readFileSync(join(src, file), "utf8"));
const withoutComments = (text: string) => text.replace(/(?<=^|[\s{(])\/(?:\*.*?\*\/|\/[^\n]*)/gs, "");
const importsOf = (file: string) => importsIn(codeOf(file));
const importsIn = (code: string) =>
  [...code.matchAll(/(?:^(?:import|export)[^;]*?from |^import |\bimport\()"([^"]+)"/gms)].map(
    ([, from = ""]) => from,
  );

/** Whether code uses `process` or `console`. Words in strings do not count. */
function usesProcess(code: string): boolean {
  const sentences = /"(?:[^"\\\n]|\\.)*"/g;
  return /\b(process|console)\b/.test(code.replace(sentences, (text) => (text.includes(" ") ? '""' : text)));
}

describe("the architecture", () => {
  it.each(files)("%s imports only from directories below its own", (file) => {
    const directory = directoryOf(file);
    const types = directory === "foundation" ? [] : ["generated"];
    const allowed = [directory, ...types, ...allowedFor(directory)];
    expect([...order.flat(), ...Object.keys(below)]).toContain(directory);
    // The fake takes nothing from other directories, also no fixture and no package.json.
    const countsJson = file.startsWith("fake/");
    const forbidden = importsOf(file)
      .filter((from) => from.startsWith(".") && (countsJson || !from.endsWith(".json")))
      .filter((from) => !allowed.includes(directoryOf(join(dirname(file), from).replaceAll(sep, "/"))));
    expect(forbidden).toEqual([]);
  });

  it("no two files import each other", () => {
    const importedBy = (file: string) =>
      importsOf(file).map((from) => join(dirname(file), from).replaceAll(sep, "/").replace(/\.js$/, ".ts"));
    const imports = new Map(files.map((file) => [file, importedBy(file)]));
    const mutual = [...imports].flatMap(([file, all]) =>
      all.filter((other) => file < other && imports.get(other)?.includes(file)).map((other) => [file, other]),
    );
    expect(mutual).toEqual([]);
  });

  it.each(Object.entries(owners))("%s is imported only where it is allowed", (name, directories) => {
    const importing = files.filter((file) => importsOf(file).includes(name)).map(directoryOf);
    expect(importing.length).toBeGreaterThan(0);
    expect(new Set(importing)).toEqual(
      new Set(importing.filter((directory) => directories.includes(directory))),
    );
  });

  it("the inspector, which runs in browsers, imports no module of Node", () => {
    const values = /^import (?!type\b)[^;]*?from "([^"]+)"/gms;
    const reached = new Set(files.filter((file) => directoryOf(file) === "inspector"));
    for (const file of reached) {
      for (const [, from = ""] of codeOf(file).matchAll(values)) {
        expect(from, file).not.toMatch(/^(node:|express|ajv)/);
        const path = join(dirname(file), from).replaceAll(sep, "/").replace(/\.js$/, "");
        const found = files.find((other) => other.replace(/\.tsx?$/, "") === path);
        if (from.startsWith(".") && found !== undefined) reached.add(found);
      }
    }
    expect([...reached].map(directoryOf)).toContain("fake/contract");
  });

  it("only the upper directories and the files for terminal and clock use process and console", () => {
    const using = files.filter((file) => usesProcess(codeOf(file)));
    const importing = using.filter((file) => !/^foundation\/(?:clock|terminal)\.ts$/.test(file));
    expect(new Set(importing.map(directoryOf))).toEqual(
      new Set(["", "frameworks", "cli", "lab", "client", "fake/server", "options", "run"]),
    );
  });
});

/** Names that every framework entry exports. */
const perFramework = ["test", "testWith", "useMock"];

describe("a name", () => {
  it("belongs to one file of src only, apart from index.ts", () => {
    const names = files.map((file) => basename(file)).filter((name) => name !== "index.ts");
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
  });

  it("is declared at the top level of one file only", () => {
    const declared = /^(?:export )?(?:async )?(?:function\*?|class|interface|type|const|let) (\w+)/gm;
    const places = new Map<string, string[]>();
    // The inspector is another program.
    for (const file of files.filter((one) => directoryOf(one) !== "inspector")) {
      for (const [, name = ""] of codeOf(file).matchAll(declared)) {
        if (directoryOf(file) === "frameworks" && perFramework.includes(name)) continue;
        places.set(name, [...(places.get(name) ?? []), file]);
      }
    }
    const shared = [...places].filter(([, found]) => new Set(found).size > 1);
    expect(Object.fromEntries(shared)).toEqual({});
  });
});

describe("the tests", () => {
  const directories = [...new Set(files.map(dirname))].filter(
    (name) => !/^(\.|generated|inspector\/.*)$/.test(name),
  );

  it.each(directories)("of src/%s are in the directory of the same name", (directory) => {
    expect(readdirSync(join(import.meta.dirname, directory)).join(" ")).toMatch(/\.test\.ts/);
  });

  it("are skipped only with a reason: context.skip(reason), or needs() of test/needs.ts", () => {
    const files = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" });
    const silent = files
      .filter((file) => file.endsWith(".test.ts") && file !== "architecture.test.ts")
      .filter((file) =>
        /\.(skipIf|runIf)\b|\b(it|describe|test)\.skip\b/.test(
          readFileSync(join(import.meta.dirname, file), "utf8"),
        ),
      );
    expect(silent).toEqual([]);
  });
});

/** The build: its directory, or this package by its name. It may have been made from earlier sources. */
const build = /(?:\.\.\/|\}\/|["'`])dist["'`/]|from "usergroup-mock|import\("usergroup-mock/;

describe("the sources", () => {
  it.each(files.filter((file) => directoryOf(file) !== "generated"))("%s reads nothing in dist/", (file) => {
    expect(codeOf(file)).not.toMatch(build);
  });
});

describe("the quick tests", () => {
  const test = import.meta.dirname;
  const isQuick = (file: string) => !notQuick.some((glob) => matches(`test/${file}`, glob));
  const quick = readdirSync(test, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll(sep, "/"))
    .filter((file) => file.endsWith(".test.ts") && file !== "architecture.test.ts" && isQuick(file));

  it.each(quick)("%s starts no process and needs no build", (file) => {
    const reached = new Set([join(test, file)]);
    for (const path of reached) {
      const code = withoutComments(readFileSync(path, "utf8"));
      expect(code, relative(test, path)).not.toMatch(/node:child_process/);
      expect(code, relative(test, path)).not.toMatch(build);
      const helpers = importsIn(code).filter((from) => from.startsWith("."));
      for (const from of helpers) {
        const helper = join(dirname(path), from.replace(/\.js$/, ".ts"));
        if (!relative(test, helper).startsWith("..")) reached.add(helper);
      }
    }
  });
});

/** Supports the globs of vitest.config.ts. */
function matches(path: string, glob: string): boolean {
  const pattern = glob.split("**").map((part) => part.replaceAll(".", "\\.").replaceAll("*", "[^/]*"));
  return new RegExp(`^${pattern.join(".*")}$`).test(path);
}
