import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { shownSchemas } from "../../../src/fake/contract/group-fields.js";
import { type SuccessName, successes } from "../../../src/fake/contract/response-names.js";
import { parseJson } from "../../../src/foundation/json.js";
import { startMock } from "../../../src/index.js";
import { isSameResponse, readResponse } from "../../../src/lab/verify/service/received-response.js";
import { findDrift } from "../../../src/lab/verify/show/drift.js";
import { apiTokens, frameworkService, type Style } from "./framework-service.js";
import { styles } from "./framework-styles.js";
import { verifyWhole, type WholeReport } from "./known-service.js";
import { type Answer, playScript } from "./script.js";

const [apiToken, secondApiToken] = apiTokens;
const teams = apiTokens.map((token, n) => ({ team_id: 7 + n, api_tokens: [token] }));

/** Of the script, which has 40 requests: same, exact. Of those from which verify learned: how many differ. */
const expected: Readonly<Record<string, readonly [same: number, exact: number, differing: number]>> = {
  // Accepts a number as id and as token, so verify never sees what it says about a wrong type: another id is not safe.
  "Django REST": [38, 35, 0],
  // Repeats the path without its slash. Lists all fields that are wrong.
  "Laravel, adds fields": [39, 36, 0],
  "Rails, adds fields": [40, 40, 0],
  Express: [40, 40, 0],
  "Go, echoes, 401 and 403": [40, 40, 0],
  "always 200": [40, 40, 0],
  "a time and a request id": [40, 40, 0],
  "500 for bad input": [40, 40, 0],
  // The mock cannot redirect.
  "redirects /api/user/": [39, 39, 1],
  wobbly: [40, 40, 0],
};

/** What tokens, times and ids of requests look like in the services, and in a mock with their profile. */
const varying =
  /\b(?:[0-9a-f]{64}|[0-9a-f]{40})\b|\d{4}-\d\d-\d\dT[\d:.]+Z|[0-9a-f]{8}(?:-\w{4}){3}-\w{12}|r-\w{16}|example/g;

/** A body without tokens and what varies, and of a success only what the document shows. */
function comparable({ text }: Answer): unknown {
  const plain = text.replace(varying, "…").replace(/"took":[\d.e-]+/, '"took":0');
  const json = Object(parseJson(plain));
  if (json.success !== 1) return parseJson(plain) ?? plain;
  const shown = Object.keys(shownSchemas).map((name) => json.user_group[name]);
  return [json.success, json.new_user_group, shown];
}

const reports = new Map<string, Promise<WholeReport>>();

/** What verify finds in a new instance of a service. */
async function verifyInstance(style: () => Style): Promise<WholeReport> {
  await using service = await frameworkService(style());
  return await verifyWhole({ baseUrl: service.url, apiToken, secondApiToken });
}

/** The first run with a service: several tests need it. */
function firstRun(name: string, style: () => Style): Promise<WholeReport> {
  const report = reports.get(name) ?? verifyInstance(style);
  reports.set(name, report);
  return report;
}

describe("a mock with the profile of a service", () => {
  const table: (readonly [string, ...number[]])[] = [];

  it.each(Object.entries(styles))("responds as the service: %s", async (name, style) => {
    const { profile, replay, further } = await firstRun(name, style);
    await using service = await frameworkService(style());
    await using mock = await startMock({ profile, fixtures: { teams } });
    const played = await playScript(service.url, apiTokens);
    const mocked = await playScript(mock.url, apiTokens);
    const results = played.map(([, answer], i) => {
      const other = mocked[i]?.[1] ?? answer;
      const isSame = isSameResponse(readResponse(answer), readResponse(other));
      return [isSame, isSame && isDeepStrictEqual(comparable(answer), comparable(other))] as const;
    });
    const count = (n: 0 | 1) => results.filter((result) => result[n]).length;
    const [same, exact] = [count(0), count(1)];
    table.push([name, same, exact, played.length, replay.same, replay.of, further.same, further.of]);
    expect([same, exact, replay.of - replay.same]).toEqual(expected[name]);
    // One service adds an id to its groups: all successes show the same one.
    const id = name === "Laravel, adds fields" ? "{number}" : undefined;
    for (const one of Object.keys(successes))
      expect(profile.responses[one as SuccessName]?.body?.user_group?.id, one).toBe(id);
  });

  // The other ones are not the same each time.
  const steady = Object.entries(styles).filter(([name]) => name !== "wobbly" && name !== "500 for bad input");

  it.each(steady)("has not changed the next day: %s", async (name, style) => {
    const { profile } = await firstRun(name, style);
    const later = await verifyInstance(style);
    expect(await findDrift(profile, later, later)).toEqual([]);
  });

  it("has the status and shape of 97 %, and the body of 85 % of the responses to other requests", () => {
    const sum = (column: number) => table.reduce((total, row) => total + Number(row[column]), 0);
    console.log(table.map((row) => row.join(" | ")).join("\n"));
    const of = sum(3);
    expect(of).toBeGreaterThanOrEqual(25 * table.length);
    expect(sum(1) / of).toBeGreaterThanOrEqual(0.97);
    expect(sum(2) / of).toBeGreaterThanOrEqual(0.85);
  });
});
