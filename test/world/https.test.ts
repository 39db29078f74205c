import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { OneFault } from "../../src/contract/fault-request.js";
import { startMock } from "../../src/mock/start-mock.js";
import { call, getOrCreate } from "../call.js";
import { makeCertificate } from "../certificate.js";

const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-faults-"));
afterAll(() => rmSync(folder, { recursive: true }));
const certificate = makeCertificate(folder);

describe("a call that the admin API sends over HTTPS", () => {
  it.skipIf(certificate === undefined)("arrives, though nobody vouches for the certificate", async () => {
    const { cert, key, pem } = certificate ?? expect.fail();
    await using mock = await startMock({ tlsCert: cert, tlsKey: key });
    const sent = { operation: "get-or-create", body: { user_group_id: "new", name: "New" } };
    const { status, body } = await call("POST", `${mock.url}/__admin/requests`, sent, { ca: pem });
    expect([status, body.effect]).toEqual([200, "created"]);
  });
});

describe("a fault over HTTPS", () => {
  it.skipIf(certificate === undefined).each<OneFault>([{ reset: true }, { empty: true }, { truncate: true }])(
    "breaks the connection: %j",
    async (effect) => {
      const { cert, key, pem } = certificate ?? expect.fail();
      await using mock = await startMock({ tlsCert: cert, tlsKey: key });
      await mock.fault(effect);
      const calling = getOrCreate(mock.url, { user_group_id: "new", name: "New" }, { ca: pem });
      await expect(calling).rejects.toThrowError(/ECONNRESET|socket hang up|aborted/);
      expect(await mock.requests()).toMatchObject([{ id: 1, outcome: "fault" }]);
      const next = await getOrCreate(mock.url, { user_group_id: "new", name: "New" }, { ca: pem });
      expect(next.body.new_user_group).toBe(true);
    },
  );
});
