import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Files with a certificate for 127.0.0.1 and localhost and with its key, and the certificate's text. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
  readonly pem: string;
}

const openssl = "openssl";

/** Makes one that lasts a day; undefined, with the reason printed, where openssl cannot be run. */
export function makeCertificate(folder: string, name = "test"): Certificate | undefined {
  const [cert, key] = [join(folder, `${name}.cert.pem`), join(folder, `${name}.key.pem`)];
  const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const args = ["req", "-x509", ...curve, "-days", "1", ...names, "-keyout", key, "-out", cert];
  const { status, error, stderr } = spawnSync(openssl, args, { encoding: "utf8" });
  if (status === 0) return { cert, key, pem: readFileSync(cert, "utf8") };
  console.warn(`HTTPS is not tested here: openssl made no certificate (${error?.message ?? stderr})`);
  return undefined;
}
