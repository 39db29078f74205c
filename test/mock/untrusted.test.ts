import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { connectMock } from "../../src/mock/connect-mock.js";
import { startMock } from "../../src/mock/start-mock.js";
import { makeCertificate } from "../certificate.js";
import { refusalOf } from "../world/refusal.js";

const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-untrusted-"));
afterAll(() => rmSync(folder, { recursive: true }));
const certificate = makeCertificate(folder);

it.skipIf(certificate === undefined)("connectMock says how to trust a certificate", async () => {
  const { cert, key } = certificate ?? expect.fail();
  await using mock = await startMock({ tlsCert: cert, tlsKey: key });
  const { code, message } = await refusalOf(connectMock(mock.url));
  expect(code).toBe("unreachable");
  expect(message).toBe(
    `The certificate of ${mock.url} is not trusted (self-signed certificate). Set NODE_EXTRA_CA_CERTS to its file when you start Node.`,
  );
});
