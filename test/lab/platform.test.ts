import { describe, expect, it } from "vitest";
import { quoteForCmd, startPlan } from "../../src/lab/platform.js";

/** What cmd.exe passes to a program: it removes one ^ before each character. */
const afterCmd = (line: string) => line.replace(/\^(.)/gs, "$1");

/** The words that a program on Windows reads from its command line, by the rules of its C library. */
function wordsOf(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let isQuoted = false;
  for (let i = 0; i < line.length; i++) {
    const [backslashes = ""] = /^\\*/.exec(line.slice(i)) ?? [];
    const next = line[i + backslashes.length];
    if (backslashes !== "") {
      i += backslashes.length - 1;
      if (next !== '"') {
        word = (word ?? "") + backslashes;
        continue;
      }
      word = (word ?? "") + backslashes.slice(0, backslashes.length / 2);
      if (backslashes.length % 2 === 1) {
        word += '"';
        i++;
      }
      continue;
    }
    const letter = line[i] ?? "";
    if (letter === '"') {
      isQuoted = !isQuoted;
      word ??= "";
    } else if (letter === " " && !isQuoted) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? "") + letter;
    }
  }
  return word === undefined ? words : [...words, word];
}

describe("a command on Windows", () => {
  it.each([
    ["npm", "test"],
    ["node", "-e", 'console.log("a b")'],
    ["a b.exe", "", "100%", "%PATH%", "!x!", "^", "a&b|c<d>e", "(x)", "a;b,c"],
    ["x", "C:\\folder with space\\", "back\\slash", 'end\\"', "\\\\server\\share"],
  ])("gets its arguments unchanged: %j %j", (...words) => {
    expect(wordsOf(afterCmd(words.map(quoteForCmd).join(" ")))).toEqual(words);
  });

  it("runs in cmd.exe, because npm is a script there", () => {
    const { args, options } = startPlan("npm", ["test"], true, "win32");
    expect(args).toEqual(["/d", "/s", "/c", '"^"npm^" ^"test^""']);
    expect(options).toMatchObject({ windowsVerbatimArguments: true, windowsHide: true });
  });
});

describe("a command on other platforms", () => {
  it("runs without a shell, in its own process group if its child processes must be killed", () => {
    expect(startPlan("npm", ["test"], true, "linux")).toEqual({
      program: "npm",
      args: ["test"],
      options: { detached: true },
    });
  });
});
