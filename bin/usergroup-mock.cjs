#!/usr/bin/env node
// The command. The published package has a build beside it; a clone of the repository makes one when it needs it.
// @ts-nocheck: no newer syntax, so that a Node that is too old can say so.
var fs = require("node:fs");
var path = require("node:path");

function run() {
  require("../dist/cjs/bin.js");
}

if (fs.existsSync(path.join(__dirname, "../src/build/ensure-built.mjs"))) {
  import("../src/build/ensure-built.mjs")
    .then((module) => {
      module.ensureBuilt();
      run();
    })
    .catch((error) => {
      console.error(error.message);
      process.exitCode = 1;
    });
} else {
  run();
}
