import { existsSync, readFileSync } from "node:fs";
import { MockError } from "../contract/mock-error.js";

/** Beside the bundle of the package, or beside the sources. */
const directories = ["../inspector/", "../generated/inspector/"];

export function readInspectorFile(name: "index.html" | "inspector.js" | "inspector.css"): string {
  const file = directories
    .map((directory) => new URL(directory + name, import.meta.url))
    .find((url) => existsSync(url));
  if (file !== undefined) return readFileSync(file, "utf8");
  const advice =
    "In a clone, run npm run build. In a program that you bundle, keep the package usergroup-mock external.";
  throw new MockError("not_built", `The files of the inspector are missing. ${advice}`);
}
