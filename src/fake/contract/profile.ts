import type { KnownRejection, Profile } from "../../generated/types.js";
import { canReject, outcomeFor, rowOf, type SituationId, situationIds } from "./situations.js";

/** A response of the profile. What it leaves out is as in our own. */
export type KnownResponse = Pick<KnownRejection, "status" | "headers" | "body" | "text">;

/** What a profile says of a situation. */
interface KnownSituation {
  /** Undefined: it is about the response of a request that succeeds, or of all. */
  readonly outcome: string | undefined;
  /** A length, or characters: what is accepted. */
  readonly limit: number | string | undefined;
  /** Undefined: a rejection has the response of a situation that it resembles. */
  readonly response: KnownResponse | undefined;
}

/** What is known about the service. */
export interface KnownService {
  readonly situations: ReadonlyMap<SituationId, KnownSituation>;
  readonly verified: Profile["verified"];
}

/** One of several profiles. A later one wins situation by situation. */
export function knownService(profiles: readonly Profile[]): KnownService {
  const given: Profile["situations"] = Object.assign({}, ...profiles.map(({ situations }) => situations));
  const situations = new Map<SituationId, KnownSituation>();
  for (const id of situationIds) {
    const said = given?.[id];
    if (said !== undefined) situations.set(id, readSituation(id, said));
  }
  const verified = profiles.findLast((profile) => profile.verified !== undefined)?.verified;
  return { situations, verified };
}

/** A word, an object with a word, or a response. Other keys than those of `KnownRejection` are not possible. */
function readSituation(id: SituationId, said: string | KnownRejection): KnownSituation {
  if (typeof said === "string")
    return { outcome: outcomeFor(id, said), limit: undefined, response: undefined };
  const { outcome, because, over, under, characters, ...response } = said;
  const word = outcome ?? (canReject(id) ? "rejected" : undefined);
  const hasResponse = Object.keys(response).length > 0;
  return {
    outcome: word === undefined ? undefined : outcomeFor(id, word),
    limit: rowOf(id).limit && { over, under, characters }[rowOf(id).limit ?? "over"],
    response: hasResponse ? response : undefined,
  };
}
