// @ts-nocheck: old syntax.
// Runs before the package loads anything else. This file and its copy in dist/cjs/ have the same path to package.json.
var oldest = require("../../package.json").engines.node.replace(/^>=|\.0$/g, "");
var message = `usergroup-mock needs Node ${oldest} or later, but this is ${process.version}. Install a newer Node.`;
if (process.versions.node.localeCompare(oldest, "en", { numeric: true }) < 0) {
  // Without a stack trace, the error is one line.
  throw Object.assign(new Error(message), { stack: message });
}
