import { execFile, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it, type TestContext } from "vitest";
import { bin } from "../cli-process.js";

const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-completion-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A folder for the PATH with the command, as in an installed package. */
const program = join(folder, "usergroup-mock");
writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`);
chmodSync(program, 0o755);

async function runShell(shell: string, script: string, args: readonly string[]): Promise<string> {
  const PATH = `${folder}${delimiter}${process.env.PATH}`;
  const env = { ...process.env, PATH, SHELL: `/bin/${shell}`, TERM: "dumb" };
  const { stdout } = await promisify(execFile)(shell, ["-c", script, shell, ...args], {
    env,
    timeout: 50_000,
  });
  return stdout;
}

/** @param needed a command that fails if the shell is too old */
function skipWithout(shell: string, needed: string, { skip, task }: TestContext): void {
  if (spawnSync(shell, ["-c", needed]).status === 0) return;
  const reason = `there is no ${shell} here that can do: ${needed}`;
  console.warn(`skipped: “${task.name}”, since ${reason}`);
  skip(reason);
}

describe.concurrent("the completion script", () => {
  /** Calls the function that the script has registered, as bash does for the Tab key. */
  const inBash = `
source <(usergroup-mock completion)
[[ "$(complete -p usergroup-mock)" =~ -F\\ ([^ ]+) ]] || exit 1
complete_line="\${BASH_REMATCH[1]}"
for line; do
  read -ra COMP_WORDS <<< "$line"
  COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
  "$complete_line"
  echo "$line -> \${COMPREPLY[*]}"
done
`;

  it("completes commands and the flags of each command in bash", async (context) => {
    skipWithout("bash", "mapfile < /dev/null", context);
    const completed = {
      "usergroup-mock --po": "--port",
      "usergroup-mock --port 4010 --fix": "--fixtures",
      "usergroup-mock ex": "exec explore",
      "usergroup-mock exec --in": "--inject",
      "usergroup-mock health --po": "--port",
      "usergroup-mock verify --po": "",
    };
    const expected = Object.entries(completed).map(([line, words]) => `${line} -> ${words}\n`);
    expect(await runShell("bash", inBash, Object.keys(completed))).toBe(expected.join(""));
  });

  /** Types a line and Tab into an interactive shell. Waits until the shell shows the completed line. */
  const inZsh = `
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'PS1=; autoload -U compinit; compinit -u -D; source <(usergroup-mock completion); print rea""dy'
zpty -r shell shown '*ready*'
zpty -w -n shell "$1"$'\\t'
zpty -r shell shown "*$2*"
print -r -- "$shown"
`;

  it.for([
    ["usergroup-mock --po", "usergroup-mock --port "],
    ["usergroup-mock exec --in", "usergroup-mock exec --inject "],
    ["usergroup-mock expl", "usergroup-mock explore "],
  ])("completes %s in zsh", async ([line = "", completed = ""], context) => {
    skipWithout("zsh", "zmodload zsh/zpty", context);
    expect(await runShell("zsh", inZsh, [line, completed])).toContain(completed);
  });
});
