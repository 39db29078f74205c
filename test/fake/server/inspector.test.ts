import { readFileSync } from "node:fs";
import supertest from "supertest";
import { describe, expect, it } from "vitest";
import { startMock } from "../../../src/index.js";
import { create, getOrCreate } from "../../call.js";
import { groupsIn, readPage } from "../../report/read-report.js";
import { ownMock } from "../world/own-world.js";

const own = ownMock();

const built = (name: string) =>
  readFileSync(new URL(`../../../src/generated/inspector/${name}`, import.meta.url), "utf8");

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
    expect(status).toBe(302);
    expect(new URL(headers.location ?? "", `${own.mock.url}${base}/__admin`).pathname).toBe(
      `${base}/__admin/`,
    );
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
  const reportOf = async ({ url }: { readonly url: string }, query = "") =>
    readPage(await (await fetch(`${url}/__admin/report.html${query}`)).text());

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
    const names = ({ tests }: ReturnType<typeof readPage>) => tests.map(({ world }) => world).sort();
    expect(names(readPage(html))).toEqual(["default"]);
    expect(names(await reportOf(fresh, "?worlds=all"))).toEqual(["default", "other"]);
    const head = await fetch(`${fresh.url}/__admin/report.html`, { method: "HEAD" });
    expect([head.status, head.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  });

  it("of a world has nothing of worlds whose names begin like its name", async () => {
    await using fresh = await startMock();
    for (const name of ["w1", "w10"]) {
      await create(fresh.world(name).url, `before ${name}`);
      await fresh.world(name).reset();
      await create(fresh.world(name).url, `after ${name}`);
    }
    for (const name of ["w1", "w10"]) {
      const { tests } = await reportOf(fresh.world(name));
      const seen = tests.map(({ world, journal }) => [world, groupsIn(journal)]);
      expect(seen.sort()).toEqual([
        [name, [`after ${name}`]],
        [name, [`before ${name}`]],
      ]);
    }
  });

  it("has the responses to all admin calls of its page, before and after a reset and a drop", async () => {
    await using fresh = await startMock();
    await create(fresh.url, "old");
    await fresh.reset({ label: "second" });
    await create(fresh.url, "new");
    await fresh.addGroup({ provided_id: "x", name: "X" });
    await fresh.fault({ status: 503, match: { user_group_id: "New" } });
    await fresh.assume({ "old-token": "accepted" });
    await fresh.world("loaded").load({ teams: [{ team_id: 9, api_tokens: ["nine"] }] });
    await create(fresh.world("gone").url, "a");
    await fresh.world("gone").drop();
    const { tests, ask } = await reportOf(fresh, "?worlds=all");
    const asked = async (world: string, target: string) =>
      (await (await fetch(`${fresh.world(world).url}/__admin/${target}`)).json()) as unknown;
    expect(ask("default", "listTests")).toEqual(await asked("default", "tests"));
    expect(tests.map(({ world, epoch, state }) => [world, epoch, state]).sort()).toEqual([
      ["default", 1, "past"],
      ["default", 2, "current"],
      ["gone", 1, "dropped"],
      ["loaded", 1, "current"],
    ]);
    for (const { world, epoch, state, journal } of tests) {
      expect(journal).toEqual(await asked(world, `requests?epoch=${epoch}`));
      if (state !== "current") continue;
      expect(ask(world, "listGroups")?.groups).toEqual(
        (await fresh.world(world).groups()).sort((a, b) => Number(a.seeded) - Number(b.seeded)),
      );
      expect(ask(world, "listFaults")).toEqual(await asked(world, "faults"));
      expect(ask(world, "listAssumptions")).toEqual(await asked(world, "assumptions"));
      expect(ask(world, "health")?.groups).toBe((await fresh.world(world).groups()).length);
    }
  });

  it("has the exact text of bodies", async () => {
    await using fresh = await startMock();
    const texts = ['{ "user_group_id": "example_1" }', "no JSON"];
    for (const text of texts) await getOrCreate(fresh.url, text);
    await fresh.fault({ status: 503, text: '{ "a": 1 }' });
    await getOrCreate(fresh.url, texts[0]);
    const { ask } = await reportOf(fresh);
    const bodies = [1, 2, 3].map((id) => ask("default", "getRequestBody", { id, query: { epoch: 1 } }));
    expect(bodies.map((body) => body?.request)).toEqual([...texts, texts[0]]);
    expect(bodies[2]?.response).toBe('{ "a": 1 }');
  });

  it.each(["?worlds=some", "?world=all"])("rejects an invalid query: %s", async (query) => {
    await using fresh = await startMock();
    const { status, body } = await supertest(fresh.url).get(`/__admin/report.html${query}`);
    expect([status, body.error?.code]).toEqual([400, "invalid_request"]);
    expect(body.error.message).toMatch(/^Invalid request:/);
  });
});

describe("GET /favicon.ico", () => {
  it("gets 204, and is not in the journal", async () => {
    const { status, text } = await supertest(own.mock.url).get("/favicon.ico");
    expect([status, text, await own.mock.requests()]).toEqual([204, "", []]);
  });
});
