import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { reportLines } from "../../src/report/report-lines.js";
import { dataOf, readInspectorFile, reportPage, withTest } from "../../src/report/report-page.js";

const css = "body { color: red }";
const js = 'write("</script><!--", "$&")';
const files = {
  "index.html": [
    "<head>",
    "    <title>t</title>",
    '    <link rel="icon" href="data:," />',
    '    <link rel="stylesheet" href="inspector.css" />',
    '    <script type="module" src="inspector.js"></script>',
    "  </head>",
    "  <body>",
    "  </body>",
  ].join("\n"),
  "inspector.css": css,
  "inspector.js": js,
};

const pageOf = (version: string) =>
  [...reportPage(reportLines([], { version }, []), (name) => files[name])].join("");

const dataIn = (page: string) => /id="report">(.*?)<\/script>/s.exec(page)?.[1] ?? "";

const hash = (text: string) => `sha256-${createHash("sha256").update(text).digest("base64")}`;

describe("reportPage", () => {
  it("contains styles, scripts and data, and runs only its own script", () => {
    const script = 'write("<\\/script><!--", "$&")';
    const policy =
      `default-src 'none'; script-src '${hash(script)}'; style-src '${hash(css)}'; img-src data:; ` +
      "base-uri 'none'; form-action 'none'";
    const page = pageOf("1.2.3");
    expect(page).toBe(
      [
        "<head>",
        `    <meta http-equiv="Content-Security-Policy" content="${policy}" />`,
        "    <title>t</title>",
        '    <link rel="icon" href="data:," />',
        `    <style>${css}</style>`,
        "  </head>",
        "  <body>",
        `  <script type="application/json" id="report">${dataIn(page)}</script>`,
        `<script type="module">${script}</script>`,
        "  </body>",
      ].join("\n"),
    );
    expect(JSON.parse(dataIn(page))).toMatchObject({ value: { version: "1.2.3" } });
  });

  it("escapes what clients sent", () => {
    const words = "</script><script>alert(1)</script><!-- $& $' </body>";
    const json = dataIn(pageOf(words));
    expect(json).toContain(
      '"\\u003c/script>\\u003cscript>alert(1)\\u003c/script>\\u003c!-- $& $\' \\u003c/body>"',
    );
    expect(JSON.parse(json)).toMatchObject({ value: { version: words } });
  });
});

describe("the page of a failed test", () => {
  it("has the test at its end, whatever its title and the requests have in them", () => {
    const title = "</script><body></body> <!--";
    const html = [...withTest([pageOf("</body>")], "w", { title })].join("");
    const [, before = "", json = ""] =
      /^(.*)<script type="application\/json" id="test">(.*?)<\/script>/s.exec(html) ?? [];
    expect(JSON.parse(json)).toEqual({ title, world: "w" });
    expect(json).not.toContain("<");
    expect(before).toContain("write(");
    expect(html.endsWith("</script>\n  </body>")).toBe(true);
    expect(JSON.parse(dataOf(html))).toMatchObject({ value: { version: "</body>" } });
  });
});

describe("readInspectorFile", () => {
  it("reports what to do if the inspector was not built", () => {
    expect(() => readInspectorFile("missing.js" as "inspector.js")).toThrow(
      expect.objectContaining({ code: "not_built", message: expect.stringContaining("npm run build") }),
    );
  });
});
