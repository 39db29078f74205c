import { expect, it } from "vitest";
import { connectMock } from "../../src/mock/connect-mock.js";
import { startMock } from "../../src/mock/start-mock.js";
import { certificate } from "../certificate.js";
import { refusalOf } from "../world/refusal.js";

it("connectMock rejects an untrusted certificate and explains how to trust it", async () => {
  await using mock = await startMock({ tlsCert: certificate.cert, tlsKey: certificate.key });
  const { code, message } = await refusalOf(connectMock(mock.url));
  expect(code).toBe("unreachable");
  // Node 24 adds its own advice to the reason.
  expect(message.replace(/certificate;[^)]*\)/, "certificate)")).toBe(
    `The certificate of ${mock.url} is not trusted (self-signed certificate). Set NODE_EXTRA_CA_CERTS to its file when you start Node.`,
  );
});
