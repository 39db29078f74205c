import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { reportPage } from "../../src/http/report-page.js";

const css = "body { color: red }";
const js = 'write("</script><!--", "$&")';
const files = new Map([
  [
    "index.html",
    [
      "<head>",
      "    <title>t</title>",
      '    <link rel="icon" href="data:," />',
      '    <link rel="stylesheet" href="inspector.css" />',
      '    <script type="module" src="inspector.js"></script>',
      "  </head>",
      "  <body>",
      "  </body>",
    ].join("\n"),
  ],
  ["inspector.css", css],
  ["inspector.js", js],
]);

async function* json(version: string) {
  const text = JSON.stringify({ version });
  for (const piece of [text.slice(0, 5), text.slice(5)]) yield piece;
}

async function pageOf(words: string): Promise<string> {
  let page = "";
  for await (const piece of reportPage(json(words), files)) page += piece;
  return page;
}

const hash = (text: string) => `sha256-${createHash("sha256").update(text).digest("base64")}`;

describe("the page of a report", () => {
  it("has styles, scripts and data inside, and runs nothing but ours", async () => {
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

  it("takes what callers sent for data, whatever it looks like", async () => {
    const words = "</script><script>alert(1)</script><!-- \u2028\u2029 $& $' </body>";
    const page = await pageOf(words);
    const [, json = ""] = /id="report">(.*?)<\/script>/s.exec(page) ?? [];
    expect(json).toBe(
      '{"version":"\\u003c/script>\\u003cscript>alert(1)\\u003c/script>\\u003c!-- \\u2028\\u2029 $& $\' \\u003c/body>"}',
    );
    expect(JSON.parse(json)).toEqual({ version: words });
  });

  it.each([...files.keys()])("cannot be made without %s, and says what to do", (name) => {
    const some = new Map([...files].filter(([other]) => other !== name));
    for (const there of [some, new Map<string, string>()]) {
      expect(() => reportPage(json("1"), there)).toThrow(
        expect.objectContaining({ code: "not_built", message: expect.stringContaining("npm run build") }),
      );
    }
  });
});
