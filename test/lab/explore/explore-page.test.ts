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

  it("links to the reports of runs from its own folder, and shows the command that repeats a run", () => {
    const report = join(folder, "logs of runs", "run 2#.html");
    const example = { result: "breaks", report, repeat: "npx usergroup-mock exec '<token>'" };
    const causes = [{ text: "lost breaks it", advice: "It does not retry.", example }];
    const rows = [{ heads: ["rotate#1"], cells: [example, { result: "survives" }, { result: "passes" }] }];
    const parts = [{ causes, sections: [{ title: "a test", rows }] }];
    const legend = { breaks: "it fails", survives: "it passes", unconfirmed: "it failed once" };
    const found = { titles: ["request", "lost", "cut"], parts, lines: [], legend };
    const page = explorePage(found, join(folder, "pages", "explore.html"), "npm test");
    const path = "../logs%20of%20runs/run%202%23.html";
    expect(page).toContain(`<li>lost breaks it. It does not retry. <a href="${path}">report</a></li>`);
    expect(page).toContain(`<td class="rejected"><a href="${path}">BREAKS</a><details>`);
    expect(page).toContain("<code>npx usergroup-mock exec '&lt;token&gt;'</code>");
    expect(page).toContain('<td class="passed">survives</td><td class="passed">passes</td>');
    expect(page).toContain('<th scope="rowgroup" colspan="3">a test</th>');
    expect(page).toContain('<dt><span class="chip rejected">breaks</span></dt><dd>it fails</dd>');
    expect(page).toContain('<dt><span class="chip passed">survives</span></dt><dd>it passes</dd>');
    expect(page).toContain('<dt><span class="chip ">fails?</span></dt><dd>it failed once</dd>');
  });

  it("has no link in a cell without a run", () => {
    const rows = [{ heads: ["old-token", "accepted"], cells: [{ result: "not exercised" }] }];
    const titles = ["assumption", "if it were", "result"];
    const parts = [{ causes: [], sections: [{ rows }] }];
    const page = explorePage({ titles, parts, lines: [], legend: {} }, "a.html", "npm test");
    expect(page).toContain('<td class="">not exercised</td>');
  });
});
