import { readFileSync } from "node:fs";
import supertest from "supertest";
import { describe, expect, it } from "vitest";
import { startMock } from "../../src/index.js";
import type { ReportData } from "../../src/report/report-data.js";
import { create, getOrCreate } from "../call.js";
import { ownMock } from "../world/own-world.js";

const own = ownMock();

const built = (name: string) =>
  readFileSync(new URL(`../../src/generated/inspector/${name}`, import.meta.url), "utf8");

const files = [
  ["", "index.html", "text/html"],
  ["inspector.js", "inspector.js", "text/javascript"],
  ["inspector.css", "inspector.css", "text/css"],
] as const;

describe.each(["", "/worlds/w3"])("the inspector at %s/__admin/", (base) => {
  const get = (path: string) =>
    supertest(own.mock.url).get(`${base}/__admin${path}`).set("Accept-Encoding", "identity").buffer();

  it("rejects other methods with JSON", async () => {
    for (const method of ["post", "options"] as const) {
      const { status, headers, body } = await supertest(own.mock.url)[method](`${base}/__admin/`);
      expect([status, headers.allow, body.error?.code]).toEqual([405, "GET, HEAD", "method_not_allowed"]);
    }
  });

  it.each(files)("serves /%s as it was built, with a strict policy", async (path, name, type) => {
    const { status, headers, text, body } = await get(`/${path}`);
    expect(status).toBe(200);
    expect(text ?? body.toString()).toBe(built(name));
    expect(headers).toMatchObject({
      "content-type": `${type}; charset=utf-8`,
      "content-length": String(Buffer.byteLength(built(name))),
      "content-security-policy":
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
    });
  });

  it.each(["", "?x=1", "?x=/"])("redirects from __admin%s", async (query) => {
    const { status, headers } = await get(query).redirects(0);
    expect(status).toBe(308);
    expect(new URL(headers.location ?? "", `${own.mock.url}${base}/__admin`).pathname).toBe(
      `${base}/__admin/`,
    );
    expect(headers["x-content-type-options"]).toBe("nosniff");
  });

  it.each(["/Inspector.js", "/inspector.js/", "/index.html", "/inspector.js.map"])(
    "serves no other file: %s",
    async (path) => {
      const { status, body } = await get(path);
      expect([status, body.error?.code]).toEqual([404, "not_found"]);
    },
  );
});

describe("the first request to a new mock", () => {
  it.each(files)("can be GET or HEAD of /__admin/%s", async (path, name) => {
    await using fresh = await startMock();
    const ask = (method: "head" | "get") =>
      supertest(fresh.url)[method](`/__admin/${path}`).set("Accept-Encoding", "identity").buffer();
    const head = await ask("head");
    expect([head.status, head.headers["content-length"]]).toEqual([200, `${Buffer.byteLength(built(name))}`]);
    const { text, body, headers } = await ask("get");
    expect(text ?? body.toString()).toBe(built(name));
    expect(headers).not.toHaveProperty("x-powered-by");
  });
});

describe("GET /__admin/report.html", () => {
  /** The data inside the page. */
  const reported = (html: string): ReportData => {
    const from = html.indexOf('id="report">') + 'id="report">'.length;
    return JSON.parse(html.slice(from, html.indexOf("</script>", from)));
  };
  const reportOf = async ({ url }: { readonly url: string }, query = "") =>
    reported(await (await fetch(`${url}/__admin/report.html${query}`)).text());

  it("is one page with the data of the world, and cannot be framed", async () => {
    await using fresh = await startMock();
    await create(fresh.world("other").url, "elsewhere");
    const response = await fetch(`${fresh.url}/__admin/report.html`);
    const html = await response.text();
    expect([response.status, Object.fromEntries(response.headers)]).toMatchObject([
      200,
      {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": "frame-ancestors 'none'",
        "x-content-type-options": "nosniff",
        "cache-control": "no-store",
      },
    ]);
    const names = ({ worlds }: ReportData) => worlds.map(({ name }) => name);
    expect(names(reported(html))).toEqual(["default"]);
    expect(names(await reportOf(fresh, "?worlds=all")).sort()).toEqual(["default", "other"]);
  });

  it("has every request in the shape of the journal, before and after a reset", async () => {
    await using fresh = await startMock();
    await create(fresh.url, "old");
    const old = await fresh.requests();
    await fresh.reset({ label: "second" });
    await create(fresh.url, "new");
    const [world] = (await reportOf(fresh)).worlds;
    expect(world).toMatchObject({ n: 2, isDropped: false, journal: { requests: await fresh.requests() } });
    expect(world?.history).toMatchObject([{ n: 1, requests: 1, journal: { requests: old } }]);
  });

  it("has the text of bodies only if one of them differs from its JSON", async () => {
    await using fresh = await startMock();
    await getOrCreate(fresh.url, '{"user_group_id":"example_1"}');
    await getOrCreate(fresh.url, '{ "user_group_id": "example_1" }');
    await getOrCreate(fresh.url, "no JSON");
    const [world] = (await reportOf(fresh)).worlds;
    const texts = Object.entries(world?.journal.texts ?? {}).map(([id, { request }]) => [id, request]);
    expect(texts).toEqual([
      ["2", '{ "user_group_id": "example_1" }'],
      ["3", "no JSON"],
    ]);
  });

  it("has the seed once, and of each world what differs from it", async () => {
    await using fresh = await startMock();
    await fresh.addGroup({ provided_id: "x", name: "X" });
    await fresh.fault({ status: 503 });
    await fresh.assume({ "old-token": "accepted" });
    const teams = [{ team_id: 9, api_tokens: ["nine"] }];
    await fresh.world("loaded").load({ teams, user_groups: [{ team_id: 9, provided_id: "y", name: "Y" }] });
    const { seeds, worlds } = await reportOf(fresh, "?worlds=all");
    expect(seeds.map(({ groups }) => groups.length)).toEqual([5]);
    expect(worlds).toMatchObject([
      {
        groups: [{ provided_id: "x", seeded: false }],
        faults: [{ id: 1, status: 503 }],
        assumed: { "old-token": "accepted" },
      },
      { teams, groups: [{ provided_id: "y", seeded: true }], faults: [], assumed: {} },
    ]);
    expect(worlds[0]).not.toHaveProperty("teams");
  });

  it("has dropped worlds with their requests", async () => {
    await using fresh = await startMock();
    const gone = fresh.world("gone");
    await create(gone.url, "a");
    await gone.drop();
    const [, world] = (await reportOf(fresh, "?worlds=all")).worlds;
    expect(world).toMatchObject({
      name: "gone",
      isDropped: true,
      history: [{ n: 1, requests: 1, journal: { requests: [{ id: 1 }] } }],
    });
  });

  it("has the newest requests of a world with more than 32 MB, and reports how many are left out", async () => {
    await using fresh = await startMock({ bodyLimit: "5mb" });
    const body = { user_group_id: "example_1", properties: { padding: "x".repeat(4_500_000) } };
    await create(fresh.url, "old");
    await fresh.reset();
    for (let n = 0; n < 8; n++) await getOrCreate(fresh.url, body);
    const { worlds, leftOut } = await reportOf(fresh);
    const { requests = [], dropped = 0 } = worlds[0]?.journal ?? {};
    expect(requests.at(-1)?.id).toBe(8);
    expect([requests[0]?.id, requests.length + dropped]).toEqual([dropped + 1, 8]);
    expect(dropped).toBeGreaterThan(0);
    expect(JSON.stringify(requests).length).toBeLessThan(33_000_000);
    expect(worlds[0]?.history).toMatchObject([{ requests: 1, journal: { requests: [], dropped: 1 } }]);
    expect(leftOut).toEqual([
      `The report is limited to about 32 MB. It does not include ${dropped + 1} older requests.`,
    ]);
  });

  it.each(["?worlds=some", "?world=all"])("rejects an invalid query: %s", async (query) => {
    await using fresh = await startMock();
    const { status, body } = await supertest(fresh.url).get(`/__admin/report.html${query}`);
    expect([status, body.error?.code]).toEqual([400, "invalid_request"]);
    expect(body.error.message).toMatch(/^Invalid query for the report:/);
  });
});

describe("GET /favicon.ico", () => {
  it("gets 204, and is not in the journal", async () => {
    const { status, text } = await supertest(own.mock.url).get("/favicon.ico");
    expect([status, text, await own.mock.requests()]).toEqual([204, "", []]);
  });
});
