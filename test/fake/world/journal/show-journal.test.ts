import { describe, expect, it } from "vitest";
import { call, getOrCreate } from "../../../call.js";
import { ownWorld } from "../own-world.js";
import { rejectionOf } from "../rejection.js";

describe("credentials in the journal", () => {
  const own = ownWorld();
  const callWith = (headers: Record<string, string>) =>
    getOrCreate(own.world.url, { user_group_id: "new", name: "New" }, { headers });
  const shownHeaders = async () => (await own.world.requests()).at(-1)?.request.headers;

  it.each([
    ["Authorization", "Token secret-1", "Token ********"],
    ["Authorization", "Token test-api-token secret-1", "Token ********"],
    ["Authorization", "Bearer secret-1 secret-2", "Bearer ********"],
    ["Authorization", "Negotiate secret-1", "********"],
    ["Authorization", "secret-1", "********"],
    ["Authorization", "Token", "********"],
    ["Authorization", "Token  test-api-token", "Token ********"],
    ["Authorization", "my Token test-api-token", "********"],
    ["Authorization", "my\tToken test-api-token", "********"],
    ["Proxy-Authorization", "Basic c2VjcmV0LTE6c2VjcmV0LTI=", "Basic ********"],
    ["X-Api-Key", "Token test-api-token", "********"],
    ["X-Amz-Security-Token", "secret-1", "********"],
    ["Ocp-Apim-Subscription-Key", "secret-1", "********"],
    ["Cookie", "session=secret-1; theme=secret-2", "********"],
  ])("are masked if no fixture lists them: %s: %s", async (name, value, shown) => {
    await callWith({ [name]: value });
    expect(await shownHeaders()).toMatchObject({ [name.toLowerCase()]: shown });
  });

  it("are not assumed in other headers", async () => {
    const headers = { "idempotency-key": "7", "x-request-id": "8", author: "9", "x-api-version": "10" };
    await callWith(headers);
    expect(await shownHeaders()).toMatchObject(headers);
  });

  it("are masked in every view of an entry", async () => {
    await callWith({ Authorization: "Token secret-1", Cookie: "session=secret-2" });
    const shown = [
      await own.world.requests(),
      await own.world.waitForRequest({ outcome: "failure" }),
      (await call("GET", `${own.world.url}/__admin/requests/1`)).body,
      (await rejectionOf(own.world.assertNoFailures())).message,
      (await rejectionOf(own.world.waitForRequest({ operation: "rotate", timeoutMs: 1 }))).message,
    ];
    for (const where of shown) expect(JSON.stringify(where)).not.toContain("secret");
    expect(JSON.stringify(shown).match(/Token \*{8}/g)).toHaveLength(3);
  });

  it("are shown or masked by what was listed when the request began", async () => {
    await callWith({ Authorization: "Token nine" });
    await callWith({});
    await own.world.load({ teams: [{ team_id: 9, api_tokens: ["nine"] }] });
    await callWith({ Authorization: "Token nine" });
    const shown = (await own.world.requests()).map(({ request }) => request.headers.authorization);
    expect(shown).toEqual(["Token ********", "Token test-api-token", "Token nine"]);
  });
});
