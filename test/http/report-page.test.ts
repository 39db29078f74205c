import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { readInspectorFile } from "../../src/http/inspector.js";
import { reportPage } from "../../src/http/report-page.js";

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

async function* json(version: string) {
  const text = JSON.stringify({ version });
  for (const piece of [text.slice(0, 5), text.slice(5)]) yield piece;
}

async function pageOf(words: string): Promise<string> {
  let page = "";
  for await (const piece of reportPage(json(words), (name) => files[name])) page += piece;
  return page;
}

const hash = (text: string) => `sha256-${createHash("sha256").update(text).digest("base64")}`;

describe("reportPage", () => {
  it("contains styles, scripts and data, and runs only its own script", async () => {
    const script = 'write("<\\/script><!--", "$&")';
    const policy =
      `default-src 'none'; script-src '${hash(script)}'; style-src '${hash(css)}'; img-src data:; ` +
      "base-uri 'none'; form-action 'none'";
    expect(await pageOf("1.2.3")).toBe(
      [
        "<head>",
        `    <meta http-equiv="Content-Security-Policy" content="${policy}" />`,
        "    <title>t</title>",
        '    <link rel="icon" href="data:," />',
        `    <style>${css}</style>`,
        "  </head>",
        "  <body>",
        '  <script type="application/json" id="report">{"version":"1.2.3"}</script>',
        `<script type="module">${script}</script>`,
        "  </body>",
      ].join("\n"),
    );
  });

  it("escapes what clients sent", async () => {
    const words = "</script><script>alert(1)</script><!-- \u2028\u2029 $& $' </body>";
    const page = await pageOf(words);
    const [, json = ""] = /id="report">(.*?)<\/script>/s.exec(page) ?? [];
    expect(json).toBe(
      '{"version":"\\u003c/script>\\u003cscript>alert(1)\\u003c/script>\\u003c!-- \\u2028\\u2029 $& $\' \\u003c/body>"}',
    );
    expect(JSON.parse(json)).toEqual({ version: words });
  });
});

describe("readInspectorFile", () => {
  it("says what to do if the inspector was not built", () => {
    expect(() => readInspectorFile("missing.js" as "inspector.js")).toThrow(
      expect.objectContaining({ code: "not_built", message: expect.stringContaining("npm run build") }),
    );
  });
});
