import { describe, expect, it } from "vitest";
import { startMock } from "../../src/client/start-mock.js";
import type { FaultRequest } from "../../src/index.js";
import { getOrCreate } from "../call.js";
import { certificate } from "../certificate.js";

const { cert, key, pem } = certificate;

describe("a fault over HTTPS", () => {
  it.each<FaultRequest>([{ reset: true }, { empty: true }, { truncate: true }])(
    "breaks the connection: %j",
    async (fault) => {
      await using mock = await startMock({ tlsCert: cert, tlsKey: key });
      await mock.fault(fault);
      const pending = getOrCreate(mock.url, { user_group_id: "new", name: "New" }, { ca: pem });
      await expect(pending).rejects.toThrowError(/ECONNRESET|socket hang up|aborted/);
      expect(await mock.requests()).toMatchObject([{ id: 1, outcome: "fault" }]);
      const next = await getOrCreate(mock.url, { user_group_id: "new", name: "New" }, { ca: pem });
      expect(next.body.new_user_group).toBe(true);
    },
  );
});
