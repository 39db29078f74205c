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

/** Characters, as a profile lists them: ranges such as `a-z`, single characters, `space` and `other` (not ASCII). */
const word = /^(?:space|other|[!-~]|[0-9A-Za-z]-[0-9A-Za-z])$/;

/** The words that are none. */
export function wrongCharacterWords(list: string): string[] {
  return wordsIn(list).filter((one) => !word.test(one) || isReversed(one));
}

/** A function that finds the first character of a text that is not in the list. */
export function characterFinder(list: string): (text: string) => string | undefined {
  const allowed = new Set(wordsIn(list).flatMap(charactersOf));
  const takesOther = wordsIn(list).includes("other");
  return (text) => {
    for (const character of text) {
      const isAscii = character <= "\u007f";
      if (isAscii ? !allowed.has(character) : !takesOther) return character;
    }
    return undefined;
  };
}

function wordsIn(list: string): string[] {
  return list.split(" ").filter((one) => one !== "");
}

/** Those of ASCII that a word stands for. */
function charactersOf(one: string): string[] {
  if (one === "space") return [" "];
  if (one === "other") return [];
  const from = one.charCodeAt(0);
  const to = one.charCodeAt(one.length - 1);
  return Array.from({ length: to - from + 1 }, (_, index) => String.fromCharCode(from + index));
}

function isReversed(one: string): boolean {
  return one.length === 3 && one.charAt(0) > one.charAt(2);
}
