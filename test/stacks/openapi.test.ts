import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { request } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type MockOptions, startMock } from "../../src/index.js";
import { type PackageInUse, usePackage } from "../consumers/package-in-use.js";
import { run } from "../consumers/processes.js";
import { installInCache } from "./install-in-cache.mjs";

const folder = await installInCache("openapi-tools", [
  "@redocly/openapi-core@latest",
  "@hyperjump/json-schema@latest",
  "@hyperjump/browser@latest",
]);
const tools = createRequire(join(folder, "package.json"));
const { registerSchema, validate } = await import(tools.resolve("@hyperjump/json-schema/openapi-3-1"));

/** The responses of an operation in the document, by status. */
type Responses = Record<string, { content: Record<string, { schema: object }> }>;

interface OpenApi {
  readonly paths: Record<string, Record<string, { operationId: string; responses: Responses }>>;
}

/** Options under which a server has other responses. */
const servers: Readonly<Record<string, MockOptions>> = {
  "default options": {},
  "created-status=201": { assume: { "created-status": "201" } },
  "failure-status=always-200": { assume: { "failure-status": "always-200" } },
  "failure-body=message": { assume: { "failure-body": "message" } },
  "failure-body=bare and always-200": { assume: { "failure-body": "bare", "failure-status": "always-200" } },
  "--admin-token": { adminToken: "open-sesame" },
};

describe("GET /__admin/openapi.json", () => {
  it.each(Object.entries(servers))("describes every response of a server with %s", async (name, options) => {
    await using mock = await startMock(options);
    const text = (await send(mock.url, "GET", "/__admin/openapi.json")).text;
    const document: OpenApi = JSON.parse(text);
    expect(await validate("https://spec.openapis.org/oas/3.1/schema-base", document)).toEqual({
      valid: true,
    });
    const uri = `https://openapi.test/${encodeURIComponent(name)}`;
    registerSchema(document, uri, "https://spec.openapis.org/oas/3.1/schema-base");
    const [wrong, seen] = [[] as string[], new Set<string>()];

    await makeEveryRequest(async (method, path, body, headers) => {
      const response = await send(mock.url, method, path, body, headers);
      const problem = await findProblem(response);
      if (problem !== undefined) wrong.push(`${method} ${path} → ${response.status} ${problem}`);
      return response.status < 300 && response.type === "application/json" ? JSON.parse(response.text) : {};

      async function findProblem({ status, type, text }: Received): Promise<string | undefined> {
        const [template = "", methods] =
          Object.entries(document.paths).find(([one]) => patternOf(one).test(path)) ?? [];
        const operation = methods?.[method.toLowerCase()];
        if (operation === undefined) return "is not an operation";
        const key = [`${status}`, `${status}`.replace(/..$/, "XX")].find((one) => one in operation.responses);
        if (key === undefined) return "has an unknown status";
        seen.add(`${operation.operationId} ${key}`);
        if (operation.responses[key]?.content[type] === undefined) return `has the type ${type}`;
        const place = ["paths", template, method.toLowerCase(), "responses", key, "content", type, "schema"];
        const pointer = place.map((part) => encodeURIComponent(part.replaceAll("/", "~1"))).join("/");
        const value: unknown = type === "application/json" ? JSON.parse(text) : text;
        const { valid } = await validate(`${uri}#/${pointer}`, value);
        return valid ? undefined : `has an invalid body: ${text.slice(0, 300)}`;
      }
    });
    expect(wrong).toEqual([]);
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    const accepted = operations.map(({ operationId }) => `${operationId} 200`);
    expect(accepted.filter((one) => !seen.has(one))).toEqual([]);
    expect(seen).toContain("getOrCreate 5XX");
    if (name === "created-status=201") expect(seen).toContain("getOrCreate 201");
  });

  it("passes the Redocly linter", async () => {
    const { createConfig, lintFromString } = tools("@redocly/openapi-core");
    await using mock = await startMock();
    const source = (await send(mock.url, "GET", "/__admin/openapi.json")).text;
    const config = await createConfig({ extends: ["recommended"] });
    const problems: object[] = await lintFromString({ source, absoluteRef: "openapi.json", config });
    expect(problems).toEqual([]);
  });
});

describe("a client generated from GET /__admin/openapi.json", () => {
  let inUse: PackageInUse;
  let cwd: string;
  beforeAll(async () => {
    inUse = await usePackage();
    cwd = await inUse.install("openapi-clients", [
      "openapi-typescript@latest",
      "openapi-fetch@latest",
      "@hey-api/openapi-ts@latest",
      "typescript@5",
      "@types/node@20",
    ]);
  });
  afterAll(() => inUse?.remove());

  it.each([
    ["openapi-typescript", ["-o", "schema.d.ts"], "openapi-typescript.ts"],
    ["openapi-ts", ["-o", "client", "-i"], "hey-api.ts"],
  ])("by %s compiles, and releases a fault by its id", async (generator, args, program) => {
    await using mock = await startMock({ adminToken: "open-sesame" });
    const { text } = await send(mock.url, "GET", "/__admin/openapi.json");
    await writeFile(join(cwd, "openapi.json"), text);
    await run(`node_modules/.bin/${generator}`, [...args, "openapi.json"], { cwd });
    const strict = ["--noEmit", "--strict", "--target", "es2023", "--module", "esnext"];
    const tsc = ["node_modules/.bin/tsc", ...strict, "--moduleResolution", "bundler", program];
    await run(process.execPath, tsc, { cwd });
    await build({
      absWorkingDir: cwd,
      entryPoints: [program],
      outfile: `${program}.mjs`,
      bundle: true,
      format: "esm",
      platform: "node",
    });
    const [group] = await mock.groups();
    const output = await run(process.execPath, [`${program}.mjs`, mock.url, group?.token ?? ""], { cwd });
    expect(output).toContain("rotated after release");
  });
});

interface Received {
  readonly status: number;
  /** The media type. */
  readonly type: string;
  readonly text: string;
}

/** Sends a request, with a body also for a GET. The body of an event stream is its beginning. */
async function send(
  url: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Received> {
  const authorization = path.startsWith("/api") ? "Token test-api-token" : "Bearer open-sesame";
  const text = body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body);
  const length = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) };
  const sent = { Authorization: authorization, ...(text !== "" && length), ...headers };
  const req = request(`${url}${path}`, { method, headers: sent, agent: false });
  req.end(text);
  const [res] = await once(req, "response");
  const [type = ""] = (res.headers["content-type"] ?? "").split(";");
  let received = "";
  for await (const part of res) received += part;
  return { status: res.statusCode, type, text: received };
}

function patternOf(template: string): RegExp {
  return new RegExp(`^${template.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[^/]+")}(\\?.*)?$`);
}

/** Makes every admin call and gets every kind of response, most of them twice: accepted and rejected. */
async function makeEveryRequest(
  // biome-ignore lint/suspicious/noExplicitAny: JSON of every shape.
  send: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<any>,
): Promise<void> {
  const service = "/api/user";
  const acme = { user_group_id: "acme", name: "Acme", mapping: { 40: "213" } };
  const created = await send("GET", service, acme);
  await send("GET", service, acme);
  const current_token = created.user_group.token;
  await send("POST", service, { current_token });
  for (const token of [current_token, "unknown", 5]) await send("POST", service, { current_token: token });
  for (const body of [undefined, "{", { name: 5 }, { ...acme, user_group_id: "x".repeat(200_000) }])
    await send("GET", service, body);
  await send("GET", service, acme, { Authorization: "Token unknown" });
  await send("GET", service, acme, { "Content-Type": "text/plain" });
  await send("GET", service, acme, { Host: "evil.test" });
  for (const more of [{}, { body: { slow: "down" } }, { body: "slow" }, { body: "<p>slow</p>" }]) {
    for (const status of [429, 503]) {
      const headers = more.body === "<p>slow</p>" ? { headers: { "Content-Type": "text/html" } } : {};
      await send("POST", "/__admin/faults", { status, ...more, ...headers });
      await send("GET", service, acme);
    }
  }

  for (const path of ["health", "state", "groups", "requests", "faults", "assumptions", "worlds", "tests"])
    await send("GET", `/__admin/${path}`);
  for (const path of ["history", "openapi.json", "report.html", "report.html?worlds=all"])
    await send("GET", `/__admin/${path}`);
  await send("GET", "/__admin/state", undefined, { Authorization: "Bearer unknown" });
  await send("GET", "/__admin/requests?operation=rotate&limit=1");
  await send("GET", "/__admin/requests?limit=many");
  for (const id of [1, 999]) {
    await send("GET", `/__admin/requests/${id}`);
    await send("GET", `/__admin/requests/${id}/body`);
  }
  for (const body of [
    { provided_id: "globex", name: "Globex" },
    { provided_id: "globex", name: "Globex" },
    {},
  ])
    await send("POST", "/__admin/groups", body);
  await send("POST", "/__admin/requests/wait", { match: { user_group_id: "acme" } });
  await send("POST", "/__admin/requests/wait", { match: { user_group_id: "never" }, timeoutMs: 1 });
  const held = await send("POST", "/__admin/faults", { hold: true });
  await send("POST", "/__admin/faults", { hold: true, status: 503 });
  await send("GET", "/__admin/faults");
  for (const id of [held.id, 999]) {
    await send("POST", `/__admin/faults/${id}/release`);
    await send("DELETE", `/__admin/faults/${id}`);
  }
  await send("DELETE", "/__admin/faults");
  await send("PATCH", "/__admin/assumptions", { "old-token": "accepted" });
  await send("PATCH", "/__admin/assumptions", { "old-token": "maybe" });
  await send("PUT", "/__admin/state", await send("GET", "/__admin/state"));
  await send("PUT", "/__admin/state", { teams: 5 });
  await send("POST", "/__admin/reset", { label: "next" });
  await send("POST", "/__admin/reset", { labell: "next" });
  await send("DELETE", "/__admin/requests");
  await send("GET", "/__admin/history");
  for (const n of [1, 99]) await send("GET", `/__admin/requests?epoch=${n}`);
  for (const world of ["default", "never"]) await send("DELETE", `/__admin/worlds/${world}`);
}
