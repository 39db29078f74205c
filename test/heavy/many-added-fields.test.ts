import { expect, it } from "vitest";
import { learnResponses } from "../../src/lab/verify/learn/learn-responses.js";
import { frameworkService, type StoredGroup } from "../lab/verify/framework-service.js";
import { verifyWhole } from "../lab/verify/known-service.js";

const apiToken = "api-token-of-one";
const failed = { status: 422, body: { success: 0 } };

it("verify learns a thousand added fields of each group in seconds", async () => {
  const users = (id: number) =>
    Array.from({ length: 200 }, (_, n) => ({
      n,
      id: 1000 * id + n,
      uuid: `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`,
      name: `user ${n}`,
      role: "user",
    }));
  const addToGroup = ({ id }: StoredGroup) => ({ users: users(id), plan: "free" });
  await using service = await frameworkService({ reject: () => failed, addToGroup });
  const { entries, profile, replay } = await verifyWhole({ baseUrl: service.url, apiToken });
  expect(profile.responses.created?.body).toMatchObject({ user_group: { plan: "free" } });
  expect(replay.same).toBe(replay.of);
  const twice = [...entries, ...entries.map((entry) => ({ ...entry }))];
  expect(twice.filter(({ response }) => response.isSuccess).length).toBeGreaterThan(70);
  const before = process.cpuUsage();
  learnResponses(twice, (text) => text);
  const seconds = process.cpuUsage(before).user / 1e6;
  // On a busy machine. It took minutes when it was quadratic.
  expect(seconds).toBeLessThan(10);
});
