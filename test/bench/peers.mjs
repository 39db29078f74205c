// Other mock servers, each with one static stub for the same request.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { installInCache } from "../stacks/install-in-cache.mjs";

const responseBody = {
  success: 1,
  new_user_group: false,
  user_group: { team_id: 3, token: "a".repeat(64), name: "Example 1", provided_id: "example_1" },
};

/** @typedef {{ name: string, args: string[], port: number, command?: string }} Peer */

/** @returns {Promise<Peer[]>} */
export async function peers() {
  const folder = await install();
  const module = (/** @type {string} */ path) => join(folder, "node_modules", path);
  return [
    {
      name: "json-server",
      args: [
        module("json-server/lib/cli/bin.js"),
        "--quiet",
        "--routes",
        join(folder, "routes.json"),
        "--port",
        "5201",
        join(folder, "db.json"),
      ],
      port: 5201,
    },
    {
      name: "mountebank",
      args: [
        module("mountebank/bin/mb"),
        "start",
        "--nologfile",
        "--pidfile",
        join(folder, "mountebank.pid"),
        "--port",
        "5299",
        "--configfile",
        join(folder, "mountebank.json"),
      ],
      port: 5202,
    },
    {
      name: "Prism",
      args: [
        module("@stoplight/prism-cli/dist/index.js"),
        "mock",
        "--port",
        "5203",
        join(folder, "openapi.json"),
      ],
      port: 5203,
    },
    { name: "mockttp", args: [join(folder, "mockttp.cjs")], port: 5204 },
    {
      name: "Mockoon",
      args: [
        module("@mockoon/cli/bin/run.js"),
        "start",
        "--repair",
        "--disable-log-to-file",
        "--port",
        "5205",
        "--data",
        join(folder, "mockoon.json"),
      ],
      port: 5205,
    },
    {
      name: "WireMock",
      command: "java",
      args: [
        "-jar",
        module("wiremock/build/wiremock-standalone-3.13.2.jar"),
        "--port",
        "5206",
        "--root-dir",
        join(folder, "wiremock"),
      ],
      port: 5206,
    },
  ];
}

async function install() {
  const folder = await installInCache("peers", [
    "json-server@0.17",
    "mountebank@2",
    "@stoplight/prism-cli@5",
    "mockttp@4",
    "@mockoon/cli@9",
    "wiremock@3",
  ]);
  writeFileSync(join(folder, "db.json"), JSON.stringify({ user: responseBody }));
  writeFileSync(join(folder, "routes.json"), JSON.stringify({ "/api/*": "/$1" }));
  const stub = {
    responses: [
      { is: { statusCode: 200, headers: { "Content-Type": "application/json" }, body: responseBody } },
    ],
  };
  writeFileSync(
    join(folder, "mountebank.json"),
    JSON.stringify({ imposters: [{ port: 5202, protocol: "http", stubs: [stub] }] }),
  );
  const response = {
    200: {
      description: "ok",
      content: { "application/json": { example: responseBody, schema: { type: "object" } } },
    },
  };
  const anyJson = { content: { "application/json": { schema: { type: "object" } } } };
  writeFileSync(
    join(folder, "openapi.json"),
    JSON.stringify({
      openapi: "3.1.0",
      info: { title: "t", version: "1" },
      paths: { "/api/user": { get: { requestBody: anyJson, responses: response } } },
    }),
  );
  const uuid = (/** @type {number} */ n) => `00000000-0000-4000-8000-00000000000${n}`;
  const mockoonResponse = {
    uuid: uuid(3),
    statusCode: 200,
    headers: [{ key: "Content-Type", value: "application/json" }],
    body: JSON.stringify(responseBody),
    disableTemplating: true,
    default: true,
  };
  const mockoonRoute = {
    uuid: uuid(2),
    type: "http",
    method: "get",
    endpoint: "api/user",
    responses: [mockoonResponse],
  };
  writeFileSync(
    join(folder, "mockoon.json"),
    JSON.stringify({
      uuid: uuid(1),
      name: "peer",
      port: 5205,
      routes: [mockoonRoute],
      rootChildren: [{ type: "route", uuid: uuid(2) }],
    }),
  );
  mkdirSync(join(folder, "wiremock/mappings"), { recursive: true });
  writeFileSync(
    join(folder, "wiremock/mappings/user.json"),
    JSON.stringify({
      request: { method: "GET", urlPath: "/api/user" },
      response: { status: 200, headers: { "Content-Type": "application/json" }, jsonBody: responseBody },
    }),
  );
  writeFileSync(
    join(folder, "mockttp.cjs"),
    `const server = require("mockttp").getLocal();
server.start(5204).then(async () => {
  await server.forGet("/api/user").thenJson(200, ${JSON.stringify(responseBody)});
  console.log("listening");
});
`,
  );
  return folder;
}
