import { expect, it, vi } from "vitest";
import { startMock } from "../../src/client/start-mock.js";
import { variables } from "../../src/options/names.js";
import { readSeen } from "../../src/run/begin-run.js";
import { create } from "../call.js";
import { ownRun } from "./own-run.js";

const tried = { assume: { "created-status": "201" }, tried: ["created-status"] };
const created = { status: 200 };

it("a value that explore tries does not replace the one that a profile knows", async () => {
  using run = ownRun(tried);
  vi.stubEnv(variables.run, run.folder);
  await using mock = await startMock({ profile: { situations: { created } } });
  vi.unstubAllEnvs();
  expect((await create(mock.url)).status).toBe(200);
  const { known, decided } = readSeen(run);
  expect([[...known], [...decided]]).toEqual([
    expect.arrayContaining(["created-status"]),
    expect.not.arrayContaining(["created-status"]),
  ]);
});

it("a value that a test sets is not replaced by the one that explore tries, and counts as pinned", async () => {
  using run = ownRun(tried);
  vi.stubEnv(variables.run, run.folder);
  await using pinned = await startMock({ assume: { "created-status": "200" } });
  await using free = await startMock();
  vi.unstubAllEnvs();
  expect((await create(pinned.url)).status).toBe(200);
  expect([...readSeen(run).pinned]).toContain("created-status");
  expect([...readSeen(run).decided]).not.toContain("created-status");
  expect((await create(free.url)).status).toBe(201);
  expect([...readSeen(run).decided]).toContain("created-status");
});
