import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const file = (name: string) => fileURLToPath(new URL(`certificate/${name}.pem`, import.meta.url));

/** Files with a certificate for 127.0.0.1 and localhost (until 2120) and with its key, and the certificate's text. */
export const certificate = {
  cert: file("certificate"),
  key: file("key"),
  pem: readFileSync(file("certificate"), "utf8"),
};

/** The key of another certificate. */
export const otherKey = file("other-key");
