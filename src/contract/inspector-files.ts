import { existsSync, readFileSync } from "node:fs";

/** A file of the inspector page, as it is served. */
export interface InspectorFile {
  readonly type: string;
  readonly text: string;
}

const types: Readonly<Record<string, string>> = {
  "index.html": "text/html",
  "inspector.js": "text/javascript",
  "inspector.css": "text/css",
};

/** They lie beside the bundle of the package; the sources, under test, take them from there too. */
const places = ["../inspector/", "../../dist/inspector/"];

/** The files of the inspector page by name; undefined where it was not built. */
export function readInspectorFiles(): ReadonlyMap<string, InspectorFile> | undefined {
  const folder = places
    .map((place) => new URL(place, import.meta.url))
    .find((place) => existsSync(new URL("inspector.js", place)));
  if (folder === undefined) return undefined;
  return new Map(
    Object.entries(types).map(([name, type]) => [
      name,
      { type: `${type}; charset=utf-8`, text: readFileSync(new URL(name, folder), "utf8") },
    ]),
  );
}
