import { hash } from "node:crypto";

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
  return hash("sha256", JSON.stringify([randomSeed, world, teamId, providedId, rotations]), "hex");
}
