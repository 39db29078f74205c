// Runs before `npm publish`: the page of a package must link to its source and to its issue tracker.
import { readFileSync } from "node:fs";
import process from "node:process";

const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const missing = ["repository", "homepage", "bugs"].filter((field) => manifest[field] === undefined);
if (missing.length > 0) {
  const set = "npm pkg set repository.url=<url> homepage=<url> bugs.url=<url>";
  console.error(`package.json has no ${missing.join(", ")}. Set the public addresses first: ${set}`);
  process.exitCode = 1;
}
