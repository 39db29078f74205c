import { request as httpRequest } from "node:http";
import { describe, expect, it } from "vitest";
import { allowedMethods } from "../../../src/fake/contract/operations.js";
import { ownMock } from "../world/own-world.js";
import { exchange, type RawResponse } from "./raw-socket.js";
import { expectNoPage, request } from "./raw-table.js";

const own = ownMock();

type Parts = Parameters<typeof request>[0];

/** Without an API token: a page cannot add one. */
async function send(parts: Parts): Promise<RawResponse> {
  const sent = request({ authorization: undefined, type: "text/plain", ...parts });
  const [response, ...others] = await exchange(own.mock.url, [sent]);
  expect(others).toEqual([]);
  if (response === undefined) throw new Error("no response");
  expectNoPage(response);
  const cors = Object.keys(response.headers).filter((name) => name.startsWith("access-control-"));
  expect(cors).toEqual([]);
  return response;
}

const errorOf = ({ body }: RawResponse) => JSON.parse(body).error;
const worldNames = async () => (await own.mock.worlds()).map(({ name }) => name);

const site = (value: string, mode: string, place: string) => [
  `Sec-Fetch-Site: ${value}`,
  `Sec-Fetch-Mode: ${mode}`,
  `Sec-Fetch-Dest: ${place}`,
];
const evil = "Origin: https://evil.test";
const upgrade = [
  "Upgrade: websocket",
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  "Sec-WebSocket-Version: 13",
];

/** What Chromium sends for a page of another origin; `test/inspector/browser/other-origins.test.ts` asks it. */
const pages: Readonly<Record<string, readonly [method: string, headers: readonly string[]]>> = {
  "an image": ["GET", site("cross-site", "no-cors", "image")],
  "an image of another port": ["GET", site("same-site", "no-cors", "image")],
  "a frame": ["GET", site("cross-site", "navigate", "iframe")],
  "a fetch": ["GET", [evil, ...site("cross-site", "cors", "empty")]],
  "a preflight": [
    "OPTIONS",
    [evil, "Access-Control-Request-Method: POST", ...site("cross-site", "cors", "empty")],
  ],
  "a preflight without Sec-Fetch headers": ["OPTIONS", [evil, "Access-Control-Request-Method: POST"]],
  "a form": ["POST", [evil, ...site("cross-site", "navigate", "document")]],
  "a form of a sandboxed frame": ["POST", ["Origin: null", ...site("cross-site", "navigate", "iframe")]],
  "a form without Sec-Fetch headers": ["POST", ["Origin: http://evil.test"]],
  "a form with an empty Origin": ["POST", ["Origin:"]],
  "a beacon": ["POST", [evil, ...site("cross-site", "no-cors", "empty")]],
  "a WebSocket": ["GET", [evil, ...upgrade]],
  "a link that prefetches": ["GET", ["Purpose: prefetch", ...site("cross-site", "no-cors", "empty")]],
  "a rule that prefetches": ["GET", ["Sec-Purpose: prefetch", ...site("none", "navigate", "document")]],
  "a rule that prerenders": [
    "GET",
    ["Sec-Purpose: prefetch;prerender", ...site("none", "navigate", "document")],
  ],
  "a form of a browser that knows the admin token": ["POST", [evil, "Authorization: Basic OnRva2Vu"]],
};

describe("every path rejects, and nothing changes:", () => {
  const service = ["/api/user", "/worlds/w/api/user", "/worlds/w/anything", "/worlds/w/", "/", "/videos"];
  const admin = ["reset", "state", "requests", "tests", "", "report.html", "inspector.js", "nowhere"];
  const paths = [...service, "/__admin/reset", ...admin.map((path) => `/worlds/w/__admin/${path}`)];

  it.each(Object.entries(pages))("%s of another origin", async (_, [method, more]) => {
    await own.mock.load({ teams: [{ team_id: 9, api_tokens: ["nine"] }] });
    for (const path of paths) {
      const response = await send({ method, path, more });
      expect([path, response.status, errorOf(response).code]).toEqual([path, 403, "forbidden_origin"]);
    }
    expect([await own.mock.requests(), await worldNames()]).toEqual([[], ["default"]]);
    expect((await own.mock.health()).groups).toBe(0);
  });
});

it("a rejected page gets a message with what to do", async () => {
  const { message } = errorOf(await send({ more: [evil] }));
  expect(message).toBe(
    "Cross-origin requests are not allowed. Send them from a program, or through a proxy on the page's own origin. In jsdom and happy-dom, run the test in the node environment. See node_modules/usergroup-mock/docs/troubleshooting.md.",
  );
});

describe("a link of another site", () => {
  const link = site("cross-site", "navigate", "document");
  const follow = (path: string, more = link, method = "GET") =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = ["Accept: text/html", ...more].map((line) => line.split(": "));
      const options = { method, headers: Object.fromEntries(headers), agent: false };
      httpRequest(`${own.mock.url}${path}`, options, (res) =>
        res.resume().on("end", () => resolve(res.statusCode)),
      )
        .on("error", reject)
        .end();
    });

  it.each([
    ["/", 302],
    ["/worlds/w", 302],
    ["/worlds/w/", 302],
    ["/__admin", 302],
    ["/__admin/", 200],
    ["/worlds/w/__admin/", 200],
    ["/__admin/report.html", 200],
    ["/worlds/w/__admin/report.html?worlds=all", 200],
  ])("opens the inspector and reports, and creates no world: %s", async (path, status) => {
    for (const value of ["cross-site", "same-site"]) {
      // Before the first build, there is no inspector.
      expect([status, 404]).toContain(await follow(path, site(value, "navigate", "document")));
    }
    expect([await own.mock.requests(), await worldNames()]).toEqual([[], ["default"]]);
  });

  it.each(["/api/user", "/worlds/w/api/user", "/videos", "/__admin/state", "/__admin/tests", "/__admin/x"])(
    "opens nothing else: %s",
    async (path) => {
      expect(await follow(path)).toBe(403);
      expect([await own.mock.requests(), await worldNames()]).toEqual([[], ["default"]]);
    },
  );

  it("is distinguished from a form, a frame and a script", async () => {
    expect(await follow("/__admin/", link, "POST")).toBe(403);
    expect(await follow("/__admin/", [...link, evil])).toBe(403);
    expect(await follow("/__admin/", site("cross-site", "navigate", "iframe"))).toBe(403);
    expect(await follow("/__admin/", site("cross-site", "no-cors", "document"))).toBe(403);
  });
});

describe("is not taken for a page of another origin:", () => {
  const sameOrigin = "Origin: http://localhost";
  it.each<[who: string, parts: Parts]>([
    ["a program", {}],
    ["a program that sets Sec-Fetch-Mode, as fetch of Node does", { more: ["Sec-Fetch-Mode: cors"] }],
    [
      "a program with another Origin and an API token",
      { authorization: "Token test-api-token", more: [evil] },
    ],
    ["the inspector", { more: [sameOrigin, ...site("same-origin", "cors", "empty")] }],
    ["the inspector in a browser without Sec-Fetch headers", { more: [sameOrigin] }],
    ["a typed address", { more: site("none", "navigate", "document") }],
    [
      "a page that uses a proxy of its own origin",
      { more: ["Origin: http://localhost:5173", ...site("same-origin", "cors", "empty")] },
    ],
  ])("%s", async (_, parts) => {
    expect((await send({ ...parts, path: "/worlds/w/api/user" })).status).not.toBe(403);
    expect(await worldNames()).toEqual(["default", "w"]);
    const reset = { ...parts, method: "POST", path: "/worlds/w/__admin/reset", length: [], body: "" };
    expect((await send(reset)).status).toBe(200);
  });

  it("a program that sends OPTIONS", async () => {
    for (const more of [[], [sameOrigin]]) {
      const response = await send({ method: "OPTIONS", length: [], body: "", more });
      expect([response.status, response.headers.allow]).toEqual([204, allowedMethods]);
    }
    expect(await own.mock.requests()).toHaveLength(2);
  });
});
