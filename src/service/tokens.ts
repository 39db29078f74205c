import { hash } from "node:crypto";

/**
 * 64 lower-case hex characters. Derived from these values only: the same requests give the same tokens in every run,
 * whatever the order of parallel tests.
 */
export function deriveToken(
  ...parts: [randomSeed: string, world: string, teamId: number, providedId: string, rotations: number]
): string {
  return hash("sha256", JSON.stringify(parts), "hex");
}
