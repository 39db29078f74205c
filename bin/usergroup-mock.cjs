#!/usr/bin/env node
// The command. The published package contains a build; a clone of the repository builds on demand.
const fs = require("node:fs");
const nodeModule = require("node:module");
const path = require("node:path");

async function run() {
  if (fs.existsSync(path.join(__dirname, "../src/build/ensure-built.mjs"))) {
    const { ensureBuilt } = await import("../src/build/ensure-built.mjs");
    ensureBuilt();
  }
  // From Node 22.8 on, the next start loads compiled code. If the cache cannot be written, Node goes on without it.
  nodeModule.enableCompileCache?.();
  require("../dist/cjs/bin.js");
}

// Node is too old, or the build failed.
run().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
