// @ts-nocheck: old syntax.
// Runs before the package loads anything else. This file and its copy in dist/cjs/ have the same path to package.json.
var oldest = require("../../package.json").engines.node.replace(/^>=|\.0$/g, "");
var message = `usergroup-mock needs Node ${oldest} or later, but this is ${process.version}. Install a newer Node.`;
var wanted = oldest.split(".").map(Number);
// Not with localeCompare, which takes 13 ms to load.
var running = process.versions.node.split(".").map(Number);
if (running[0] < wanted[0] || (running[0] === wanted[0] && running[1] < wanted[1])) {
  // Without a stack trace, the error is one line.
  throw Object.assign(new Error(message), { stack: message });
}
