import { readFileSync } from "node:fs";
import supertest from "supertest";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Mock, startMock } from "../../src/index.js";

let mock: Mock;
beforeAll(async () => {
  mock = await startMock();
});
afterAll(() => mock.stop());

const built = (name: string) =>
  readFileSync(new URL(`../../dist/inspector/${name}`, import.meta.url), "utf8");

const files = [
  ["", "index.html", "text/html"],
  ["inspector.js", "inspector.js", "text/javascript"],
  ["inspector.css", "inspector.css", "text/css"],
] as const;

describe.each(["", "/worlds/w3"])("the inspector at %s/__admin/", (base) => {
  const get = (path: string) =>
    supertest(mock.url).get(`${base}/__admin${path}`).set("Accept-Encoding", "identity").buffer();

  it.each(files)("answers %s with JSON to whoever would change it", async (path) => {
    for (const method of ["post", "options", "delete"] as const) {
      const { status, headers, body } = await supertest(mock.url)[method](`${base}/__admin/${path}`);
      expect([status, headers.allow, body.error?.code]).toEqual([405, "GET, HEAD", "method_not_allowed"]);
    }
    const { status, body } = await supertest(mock.url).options(`${base}/__admin`);
    expect([status, body.error?.code]).toEqual([405, "method_not_allowed"]);
  });

  it.each(files)("packs /%s for whoever can unpack it", async (path, name) => {
    const packed = await fetch(`${mock.url}${base}/__admin/${path}`, {
      headers: { "Accept-Encoding": "gzip" },
    });
    expect(packed.headers.get("content-encoding")).toBe("gzip");
    expect(Number(packed.headers.get("content-length"))).toBeLessThan(built(name).length);
    expect(await packed.text()).toBe(built(name));
  });

  it.each(files)(
    "serves /%s as it was built, with headers that let nothing else in",
    async (path, name, type) => {
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
    },
  );

  it.each(["", "?x=1", "?x=/"])("is where __admin%s leads", async (query) => {
    const { status, headers } = await get(query).redirects(0);
    expect(status).toBe(308);
    expect(new URL(headers.location ?? "", `${mock.url}${base}/__admin`).pathname).toBe(`${base}/__admin/`);
    expect(headers["x-content-type-options"]).toBe("nosniff");
  });

  it("is also there with a query, which means nothing", async () => {
    expect((await get("/?x=1")).text).toBe(built("index.html"));
  });

  it.each(["/Inspector.js", "/inspector.js/", "/index.html", "/inspector.js.map", "/../package.json"])(
    "serves no other file: %s",
    async (path) => {
      const { status, body } = await get(path);
      expect([status, body.error?.code]).toEqual([404, "not_found"]);
    },
  );
});

describe("the icon that a browser asks for by itself", () => {
  it("is none, and its call is no call of the service", async () => {
    const { status, text } = await supertest(mock.url).get("/favicon.ico");
    expect([status, text, await mock.requests()]).toEqual([204, "", []]);
  });
});
