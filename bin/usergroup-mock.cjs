#!/usr/bin/env node
// The command. The published package contains a build; a clone of the repository builds on demand.
const fs = require("node:fs");
const nodeModule = require("node:module");
const path = require("node:path");

function run() {
  // From Node 22.8 on, the next start loads compiled code. If the cache cannot be written, Node goes on without it.
  nodeModule.enableCompileCache?.();
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
