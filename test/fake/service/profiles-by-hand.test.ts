// For six services in real frameworks (test/stacks/services): the profile that a person writes after ten lines of a log,
// and five requests with what the service responded. In these, group a was created, and its token was rotated once.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type MockOptions, startMock } from "../../../src/index.js";
import { call, create, rotate } from "../../call.js";

const folder = new URL("profiles-by-hand/", import.meta.url);
const read = (name: string) => readFileSync(new URL(name, folder), "utf8");

/** The lines of a log: what was sent, and what the service responded. */
function linesOf(service: string) {
  const lines = read(`${service}.txt`).trim().split("\n");
  return lines.map((line) => {
    const [sent = "", responded = ""] = line.split(" → ");
    const [method = "", apiToken = "", ...body] = sent.split(" ");
    return { method, apiToken, body: body.join(" "), responded };
  });
}

/** What a new mock responds to the same requests. */
async function play(service: string, options: MockOptions) {
  const fixtures = { teams: [{ team_id: 3, api_tokens: ["test-api-token"] }] };
  await using mock = await startMock({ fixtures, ...options });
  const { token } = (await create(mock.url, "a", { name: "A" })).body.user_group;
  await rotate(mock.url, token);
  const responses: string[] = [];
  for (const { method, apiToken, body } of linesOf(service)) {
    const sent = body.replace("<old>", token).replace(/<(\d+) characters>/, (_, n) => "n".repeat(Number(n)));
    const response = await call(method, `${mock.url}/api/user`, sent, { apiToken });
    responses.push(`${response.status} ${withoutExamples(JSON.stringify(response.body))}`);
  }
  return responses;
}

function withoutExamples(body: string) {
  return body
    .replace(/"token":"\w+"/, '"token":"<token>"')
    .replace(/"[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}"/, '"<uuid>"')
    .replace(/"\d{4}-\d\d-\d\d[T ][^"]+"/, '"<date>"');
}

/** The order of fields does not matter. */
const parsed = (responses: readonly string[]) =>
  responses.map((response) => ({ status: response.slice(0, 3), body: JSON.parse(response.slice(4)) }));

describe.each(["django-rest-framework", "express", "fastapi", "fastify", "flask", "php"])(
  "a profile by hand for %s",
  (service) => {
    const logged = parsed(linesOf(service).map(({ responded }) => responded));

    it("makes five responses those of the service", async () => {
      expect(parsed(await play(service, { profile: JSON.parse(read(`${service}.json`)) }))).toEqual(logged);
    });

    it("is needed for each of them", async () => {
      for (const [index, response] of parsed(await play(service, {})).entries()) {
        expect(response).not.toEqual(logged[index]);
      }
    });
  },
);
