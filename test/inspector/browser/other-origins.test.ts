import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Browser, chromium } from "@playwright/test";
import { afterEach, beforeEach, describe, expect, inject, it, vi } from "vitest";
import { type Mock, startMock } from "../../../src/index.js";
import { create } from "../../call.js";
import { flags } from "../find-browser.mjs";

/** What a page can do to make the browser send a request, each to a URL of its own. */
const ways = {
  image: (url: string) => `<img src="${url}">`,
  script: (url: string) => `<script src="${url}"></script>`,
  style: (url: string) => `<link rel="stylesheet" href="${url}">`,
  frame: (url: string) => `<iframe src="${url}"></iframe>`,
  video: (url: string) => `<video src="${url}"></video>`,
  prefetch: (url: string) => `<link rel="prefetch" href="${url}">`,
  "form-get": (url: string) => form("get", url),
  "form-post": (url: string) => form("post", url),
  "form-text": (url: string) => form("post", url, 'enctype="text/plain"'),
  "form-of-a-sandbox": (url: string) =>
    `<iframe sandbox="allow-forms allow-scripts" srcdoc='<form id="f" method="post" action="${url}"></form><script>f.submit()</script>'></iframe>`,
  ping: (url: string) =>
    `<a ping="${url}" href="#"></a><script>document.currentScript.previousElementSibling.click()</script>`,
  fetch: (url: string) => `<script>fetch("${url}").catch(() => {})</script>`,
  "fetch-no-cors": (url: string) => `<script>fetch("${url}", { mode: "no-cors" })</script>`,
  "fetch-post": (url: string) =>
    `<script>fetch("${url}", { mode: "no-cors", method: "POST", body: "{}", keepalive: true })</script>`,
  "fetch-with-a-token": (url: string) =>
    `<script>fetch("${url}", { headers: { Authorization: "Token test-api-token" } }).catch(() => {})</script>`,
  delete: (url: string) => `<script>fetch("${url}", { method: "DELETE" }).catch(() => {})</script>`,
  beacon: (url: string) => `<script>navigator.sendBeacon("${url}", "{}")</script>`,
  socket: (url: string) => `<script>new WebSocket("${url.replace("http", "ws")}")</script>`,
  events: (url: string) => `<script>new EventSource("${url}")</script>`,
  window: (url: string) => `<script>window.open("${url}")</script>`,
};

/** Those that can send a POST. */
const posts = ["form-post", "form-text", "form-of-a-sandbox", "ping", "fetch-post", "beacon"];

const form = (method: string, url: string, more = "") =>
  `<iframe name="${url}"></iframe><form target="${url}" method="${method}" action="${url}" ${more}></form>` +
  "<script>document.currentScript.previousElementSibling.submit()</script>";

const rules = {
  "prefetch-rule": (url: string) => speculation("prefetch", url),
  "prerender-rule": (url: string) => speculation("prerender", url),
};

const wayOf = (path: string) =>
  new Map(Object.entries({ ...ways, ...rules })).get(path.split("/")[2] ?? "") ?? expect.fail();

const speculation = (kind: string, url: string) =>
  `<script type="speculationrules">{"${kind}":[{"source":"list","urls":["${url}"],"eagerness":"immediate"}]}</script>`;

let browser: Browser;
let mock: Mock;
let pages: Server;
/** What every page of another origin has in it. */
let html = "";
const printed: string[] = [];
beforeEach(async () => {
  vi.spyOn(process.stdout, "write").mockImplementation((text) => printed.push(String(text)) > 0);
  mock = await startMock({ log: "json" });
  await create(mock.url, "kept");
  pages = createServer((_req, res) => {
    res
      .writeHead(200, { "Content-Type": "text/html" })
      .end(`<!doctype html><link rel="icon" href="data:,">${html}`);
  });
  await once(pages.listen(0, "127.0.0.1"), "listening");
  // A new browser for every test: it sends only a few speculative requests.
  const args = [...flags, "--host-resolver-rules=MAP evil.test 127.0.0.1", "--disable-popup-blocking"];
  browser = await chromium.launch({ executablePath: inject("browser"), args });
});
afterEach(async () => {
  await browser?.close();
  pages.close();
  await mock.stop();
  vi.mocked(process.stdout.write).mockRestore();
  printed.length = 0;
});

/** The paths of the requests that the guard rejected. */
const rejectedPaths = () =>
  printed
    .map((line) => JSON.parse(line))
    .flatMap(({ event, code, path }) => (event === "rejected" && code === "forbidden_origin" ? [path] : []));

/** Opens a page that requests all these paths, and waits until each of them was rejected. */
async function expectRejections(host: string, paths: readonly string[]): Promise<void> {
  html = paths.map((path) => wayOf(path)(mock.url + path)).join("\n");
  const page = await browser.newPage();
  await page.goto(`http://${host}:${(pages.address() as AddressInfo).port}/`, { waitUntil: "commit" });
  await expect.poll(() => paths.filter((path) => !rejectedPaths().includes(path))).toEqual([]);
}

async function expectUntouched(): Promise<void> {
  expect((await mock.worlds()).map(({ name }) => name)).toEqual(["default"]);
  expect((await mock.requests()).map(({ id, effect }) => [id, effect])).toEqual([[1, "created"]]);
  expect(await mock.history()).toEqual([]);
}

describe.each([
  ["another site", "evil.test"],
  ["another port of this machine", "127.0.0.1"],
  ["another name of this machine", "localhost"],
])("a page of %s", (_, host) => {
  it("reaches no service and resets no world, in whatever way it makes the browser send a request", async () => {
    const services = Object.keys(ways).map((way) => `/worlds/${way}/api/user`);
    await expectRejections(host, [...services, ...posts.map((way) => `/worlds/${way}/__admin/reset`)]);
    // On a page of their own: the browser speculates only for a page that is in front.
    await expectRejections(host, ["/worlds/prefetch-rule/api/user", "/worlds/prerender-rule/api/user"]);
    await expectUntouched();
  });
});
