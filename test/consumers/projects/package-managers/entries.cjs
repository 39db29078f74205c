// Prints the entries of the package, and those that require should find but does not.
const { exports: entries } = require("usergroup-mock/package.json");
const names = Object.keys(entries).filter((entry) => !entry.includes("*"));
const unresolved = [];
for (const entry of names) {
  const name = `usergroup-mock${entry.slice(1)}`;
  // Some can only be imported.
  if (JSON.stringify(entries[entry]).includes('"require"')) {
    try {
      require.resolve(name);
    } catch (error) {
      unresolved.push(`${name}: ${error.message}`);
    }
  }
}
console.log(JSON.stringify({ names, unresolved }));
