import { createHash } from "node:crypto";

/**
 * 64 lower-case hex characters, from nothing but these values: the same calls give the same tokens in every
 * run, in whatever order parallel tests make them.
 */
export function deriveToken(
  randomSeed: string,
  world: string,
  teamId: number,
  providedId: string,
  rotations: number,
): string {
  const parts = JSON.stringify([randomSeed, world, teamId, providedId, rotations]);
  return createHash("sha256").update(parts).digest("hex");
}
