import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { explorePage } from "../../../src/lab/explore/explore-page.js";
import { runHere } from "../../cli/run-here.js";
import { command } from "../../cli/small-programs.js";

vi.setConfig({ testTimeout: 60_000 });

const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-page-"));
afterAll(() => rmSync(folder, { recursive: true }));

const linksIn = (page: string) =>
  [...page.matchAll(/<a href="([^"]*)">([^<]*)/g)].map(([, path = "", label]) => ({
    file: decodeURIComponent(path),
    label,
  }));

describe("explore --report", () => {
  it("writes one page with the matrix, and links what fails to the report of its run", async () => {
    const report = join(folder, "explore.html");
    const work = `const { tokenOf } = sturdy(url, apiToken); await tokenOf("a"); await create(url, "b");`;
    const flags = ["--faults", "--only", "reset", "--report", report];
    const { stdout, stderr } = await runHere(["explore", ...flags, ...command(work)], { cwd: folder });
    expect(stderr).toContain(`all results are in ${report}\n`);
    expect(stderr).toContain("logs and reports of runs are in usergroup-mock-explore\n");
    const page = readFileSync(report, "utf8");
    const links = linksIn(page);
    expect(links.map(({ label }) => label)).toEqual(["report", "BREAKS"]);
    for (const { file } of links) {
      expect(dirname(file)).toBe("usergroup-mock-explore");
      expect(existsSync(join(folder, file))).toBe(true);
    }
    expect(page).toContain("<li>reset of get-or-create breaks your tests ");
    expect(page).toContain("<li>Your tests pass with 1 of 2 failures. 1 breaks your tests.</li>");
    expect(page).toContain('<th scope="row">get-or-create:b#1</th>');
    expect(page).not.toContain("<script");
    expect(page).toContain('<dt><span class="chip rejected">breaks</span></dt>');
    // Each cell has its command, which is shown on demand.
    const repeats =
      /<details><summary>repeat<\/summary><code>npx usergroup-mock exec --inject [^<]*<\/code><\/details>/g;
    expect(page.match(repeats)).toHaveLength(2);
    // The command that repeats a run does not replace the page.
    expect(stdout).toMatch(/^ {2}repeat {2}npx usergroup-mock exec --inject /m);
  });
});

describe("the page of explore", () => {
  it("escapes names that look like HTML", () => {
    const name = `</td><script>alert("&")</script>`;
    const sections = [{ title: name, rows: [{ heads: [name], cells: [{ result: "breaks" }] }] }];
    const causes = [{ text: name, advice: "", example: { result: "breaks" } }];
    const parts = [{ title: name, causes, sections }];
    const found = { titles: [name, "lost"], parts, lines: [name], legend: {} };
    const page = explorePage(found, "explore.html", name);
    expect(page).not.toContain("<script");
    expect(page.match(/&lt;\/td&gt;&lt;script&gt;alert\(&quot;&amp;&quot;\)/g)).toHaveLength(7);
  });

  it("has no link in a cell without a run", () => {
    const rows = [{ heads: ["old-token", "accepted"], cells: [{ result: "not exercised" }] }];
    const titles = ["assumption", "if it were", "result"];
    const parts = [{ causes: [], sections: [{ rows }] }];
    const page = explorePage({ titles, parts, lines: [], legend: {} }, "a.html", "npm test");
    expect(page).toContain('<td class="">not exercised</td>');
  });
});
