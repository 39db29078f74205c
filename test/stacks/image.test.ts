import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { getOrCreate } from "../call.js";
import { freePort } from "../free-port.js";
import { has, needs } from "../needs.js";
import { patience } from "../patience.js";
import { buildImage, type Image, processOne } from "./image.js";

let image: Image;
const fixtures = mkdtempSync(join(tmpdir(), "usergroup-mock-fixtures-"));
const configs = mkdtempSync(join(tmpdir(), "usergroup-mock-configs-"));
beforeEach((context) => needs(context, "buildah", "unshare as root"));
beforeAll(async () => {
  if (!has("buildah") || !has("unshare as root")) return;
  image = await buildImage();
  console.log(`the image has ${(image.addedBytes / 1e6).toFixed(1)} MB on top of its base`);
}, 600_000);
afterAll(async () => {
  for (const folder of [fixtures, configs]) rmSync(folder, { recursive: true, force: true });
  await image?.remove();
});

describe("the image", () => {
  it("does not run as root, and has a health check and an entry point", () => {
    expect(image.config.User).toBe("1000:1000");
    expect(image.config.Healthcheck.Test).toEqual(["CMD", "usergroup-mock", "health"]);
    expect([image.config.Entrypoint, image.config.Cmd ?? []]).toEqual([["usergroup-mock"], []]);
  });

  it("adds less than 3 MB to its base", () => {
    expect(image.addedBytes).toBeLessThan(3_000_000);
  });

  it("becomes healthy on a read-only root, serves requests, and stops on SIGTERM as process 1", async () => {
    const given = { env: { USERGROUP_MOCK_PORT: `${await freePort()}` } };
    expect(image.isHealthy(given)).toBe(false);
    const began = performance.now();
    await using container = image.start([], given);
    await vi.waitFor(() => expect(image.isHealthy(given)).toBe(true), { ...patience, interval: 50 });
    console.log(`healthy after ${Math.round(performance.now() - began)} ms`);
    const url = await container.ready;
    const { status } = await getOrCreate(url, { user_group_id: "a", name: "A" });
    expect(status).toBe(200);
    const one = processOne(container);
    expect(one.status).toMatch(/^NSpid:\t\d+\t1$/m);
    expect(one.status).toMatch(/^Uid:\t1000\t1000\t1000\t1000$/m);

    const stopped = performance.now();
    if (one.pid !== undefined) process.kill(one.pid, "SIGTERM");
    const { code } = await container.exited;
    expect(performance.now() - stopped).toBeLessThan(1_000);
    expect(code).toBe(143);
    expect(image.isHealthy(given)).toBe(false);
  });

  it("reads mounted fixtures and a mounted config file", async () => {
    const team = { team_id: 9, api_tokens: ["t9"] };
    // Only root can read a new temporary directory.
    for (const folder of [fixtures, configs]) chmodSync(folder, 0o755);
    writeFileSync(join(fixtures, "teams.json"), JSON.stringify({ teams: [team], user_groups: [] }));
    writeFileSync(join(configs, "usergroup-mock.config.json"), JSON.stringify({ port: 0, log: "json" }));
    const mounts = { "/fixtures": fixtures, "/usergroup-mock": configs };
    await using container = image.start(["--log", "pretty", "--fixtures", "/fixtures"], { mounts });
    await container.ready;
    expect(container.stdout()).toContain("t9 → team 9");
    expect(await container.ready).not.toContain(":4010");
  });
});
