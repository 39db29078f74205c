import { describe, expect, it } from "vitest";
import { shownSchemas } from "../../../src/contract/group-fields.js";
import { hasSameShape, isEqualExcept } from "../../../src/foundation/json-shape.js";
import { startMock } from "../../../src/index.js";
import { isLikeExample, isSameResponse } from "../../../src/lab/verify/recorded.js";
import { verifyService } from "../../../src/lab/verify/verify-service.js";
import { apiTokens, frameworkService } from "./framework-service.js";
import { styles } from "./framework-styles.js";
import { quick } from "./known-service.js";
import { type Answer, playScript } from "./script.js";

const [apiToken, secondApiToken] = apiTokens;
const teams = apiTokens.map((token, n) => ({ team_id: 7 + n, api_tokens: [token] }));

/** Of the requests of verify: same, exact, of. Of the script, which has 40 requests: same, exact. */
const expected: Readonly<Record<string, readonly number[]>> = {
  // Accepts a number as name and as filename. Lists all fields that are wrong.
  "Django REST": [77, 76, 80, 39, 38],
  // Repeats the path without its slash. Lists all fields that are wrong.
  "Laravel, adds fields": [80, 76, 80, 39, 36],
  "Rails, adds fields": [78, 78, 78, 40, 40],
  Express: [81, 81, 81, 40, 40],
  // Repeats a wrong current_token, also null.
  "Go, echoes, 401 and 403": [79, 79, 80, 39, 39],
  "always 200": [81, 81, 81, 40, 40],
  "a time and a request id": [81, 81, 81, 40, 40],
  "500 for bad input": [81, 81, 81, 40, 40],
  // The mock cannot redirect.
  "redirects /api/user/": [80, 80, 81, 39, 39],
  wobbly: [81, 81, 81, 40, 40],
};

const valueAt = (json: unknown, path: string) =>
  path
    .split("/")
    .slice(1)
    .reduce((value: unknown, name) => Object(value)[name], json);

/** Whether bodies are equal, apart from tokens, from fields that the document does not show, and from what varies. */
function isExact(answer: Answer, twin: Answer, mocked: Answer): boolean {
  if (answer.json === undefined) return answer.text === mocked.text;
  const isSuccess = Object(answer.json).success === 1;
  const isAdded = (path: string) => {
    const [, field = "", inGroup = "name"] = path.split("/");
    return (
      isSuccess &&
      path !== "" &&
      !(["success", "new_user_group", "user_group"].includes(field) && inGroup in shownSchemas)
    );
  };
  const varies = (path: string) => {
    const [one, other] = [answer, twin].map(({ json }) => valueAt(json, path));
    return isAdded(path) || (typeof one !== "object" && one !== other);
  };
  return isEqualExcept(answer.json, mocked.json, varies, isSuccess ? hasSameShape : isLikeExampleOrToken);
}

const isLikeExampleOrToken = (one: unknown, other: unknown) =>
  isLikeExample(one, other) ||
  isLikeExample(
    String(one).replace(/\b[0-9a-f]{40}\b/g, "T"),
    String(other).replace(/\b[0-9a-f]{64}\b/g, "T"),
  );

describe("a mock with the profile of a service", () => {
  const table: (readonly [string, ...number[]])[] = [];

  it.each(Object.entries(styles))("responds as the service: %s", async (name, style) => {
    await using verified = await frameworkService(style());
    const target = { baseUrl: verified.url, apiToken, secondApiToken };
    const { profile, replay } = await verifyService(target, { patience: quick });
    await using service = await frameworkService(style());
    await using another = await frameworkService(style());
    await using mock = await startMock({ profile, fixtures: { teams } });
    const played = await playScript(service.url, apiTokens);
    const again = await playScript(another.url, apiTokens);
    const mocked = await playScript(mock.url, apiTokens);
    const results = played.map(([, answer], i) => {
      const [twin = answer, other = answer] = [again, mocked].map((one) => one[i]?.[1]);
      const isSame = isSameResponse(answer, other);
      return [isSame, isSame && isExact(answer, twin, other)] as const;
    });
    const count = (n: 0 | 1) => results.filter((result) => result[n]).length;
    const row = [replay.same, replay.exact, replay.of, count(0), count(1)] as const;
    table.push([name, ...row, played.length]);
    expect(row).toEqual(expected[name]);
  });

  it("has the status and shape of 97 %, and the body of 85 % of the responses to other requests", () => {
    const sum = (column: number) => table.reduce((total, row) => total + Number(row[column]), 0);
    console.log(table.map((row) => row.join(" | ")).join("\n"));
    const of = sum(6);
    expect(of).toBeGreaterThanOrEqual(25 * table.length);
    expect(sum(4) / of).toBeGreaterThanOrEqual(0.97);
    expect(sum(5) / of).toBeGreaterThanOrEqual(0.85);
  });
});
