import { crypto } from "../../foundation/crypto.js";

/** What tokens and UUIDs of a group are derived from. */
type GroupParts = readonly [
  randomSeed: string,
  world: string,
  epoch: number,
  teamId: number,
  providedId: string,
];

/**
 * Where the tokens that a fixture leaves out are derived: in no world and no epoch, so that they are the same in all.
 * `*seed*` is not a valid name of a world.
 */
export const seedPlace = ["*seed*", 0] as const;

/** Of derived tokens, in characters. */
export const tokenLength = 64;

/** A UUID for a group, of version 8: derived, and not random. */
export function newUuid(parts: GroupParts): string {
  const digits = crypto().hash("sha256", JSON.stringify([...parts, "uuid"]), "hex");
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-8$3-a$4-$5");
}

/**
 * 64 lower-case hex characters. Derived from these values only: the same requests give the same tokens in every run,
 * whatever the order of parallel tests. The epoch is one of them, so that a token which a program kept from an earlier
 * test is not accepted. A token that is taken is skipped: a fixture may have it.
 */
export function newToken(parts: GroupParts, rotations: number, isTaken: (token: string) => boolean): string {
  for (let number = rotations; ; number++) {
    const token = crypto().hash("sha256", JSON.stringify([...parts, number]), "hex");
    if (!isTaken(token)) return token;
  }
}
