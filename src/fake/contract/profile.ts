import { shippedSchemas } from "../../generated/shipped-schemas.js";
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

/** What the words for characters that are not ASCII stand for. */
const notAsciiWords: Readonly<Record<string, RegExp>> = {
  letters: /\p{L}/u,
  symbols: /[^\p{L}\p{Z}\p{C}]/u,
  invisible: /[\p{Z}\p{C}]/u,
  other: /./su,
};

/** Those that stand for ASCII characters. A tab and a line break are control characters too. */
const ofAscii: Readonly<Record<string, readonly string[]>> = {
  space: [" "],
  control: [...charactersFrom(0, 31), "\u007f"],
};

/** What a profile can list, besides ranges such as `a-z` and single characters. */
export const characterWords: readonly string[] = [...Object.keys(ofAscii), ...Object.keys(notAsciiWords)];

const rangeOrSign = /^(?:[!-~]|[0-9A-Za-z]-[0-9A-Za-z])$/;

/** The words that are none. */
export function wrongCharacterWords(list: string): string[] {
  const isWord = (one: string) => characterWords.includes(one) || (rangeOrSign.test(one) && !isReversed(one));
  return wordsIn(list).filter((one) => !isWord(one));
}

/** A function that finds the first character of a text that is not in the list. */
export function characterFinder(list: string): (text: string) => string | undefined {
  const words = wordsIn(list);
  const allowed = new Set(words.flatMap(charactersOf));
  const others = words.flatMap((one) => notAsciiWords[one] ?? []);
  const inHex = [...allowed].map((one) => `\\x${one.charCodeAt(0).toString(16).padStart(2, "0")}`);
  // Most texts have none. To look at each character takes five times as long.
  const unusual = new RegExp(`[^${inHex.join("")}]`);
  return (text) => {
    if (!unusual.test(text)) return undefined;
    for (const character of text) {
      const isAllowed =
        character <= "\u007f" ? allowed.has(character) : others.some((kind) => kind.test(character));
      if (!isAllowed) return character;
    }
    return undefined;
  };
}

function wordsIn(list: string): string[] {
  return list.split(" ").filter((one) => one !== "");
}

/** Those of ASCII that a word stands for. */
function charactersOf(one: string): readonly string[] {
  if (one in notAsciiWords) return [];
  return ofAscii[one] ?? charactersFrom(one.charCodeAt(0), one.charCodeAt(one.length - 1));
}

function charactersFrom(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, index) => String.fromCharCode(first + index));
}

function isReversed(one: string): boolean {
  return one.length === 3 && one.charAt(0) > one.charAt(2);
}

/** What a placeholder of a profile stands for. */
interface Placeholder {
  /** An object, which is a whole value and never a part of a text. */
  readonly isObject?: true;
  /** Only the response to a success has it: it belongs to the group. */
  readonly isOfGroup?: true;
  /** Only the response to a rejection has it: it belongs to what is wrong. */
  readonly isOfMistake?: true;
}

const requestFields = Object.entries(shippedSchemas["get-or-create.request.json"].properties);

/** Every placeholder, by name. */
export const placeholders: Readonly<Record<string, Placeholder>> = Object.fromEntries([
  ...["path", "url", "method", "body", "current_token"].map((name) => [name, {}]),
  ...requestFields.map(([name, { type }]) => [name, type === "object" ? { isObject: true } : {}]),
  ...["number", "uuid"].map((name) => [name, { isOfGroup: true }]),
  ["field", { isOfMistake: true }],
]);

export interface WholePlaceholder {
  readonly name: string;
  /** An empty object is written as a list. */
  readonly hasEmptyList: boolean;
}

/** The placeholder that a text consists of, and nothing else: `{name}`, `{mapping|[]}`. */
export function wholePlaceholder(text: string): WholePlaceholder | undefined {
  const [, name = "", emptyList] = /^\{(\w+)(\|\[\])?\}$/.exec(text) ?? [];
  if (!Object.hasOwn(placeholders, name)) return undefined;
  const isObject = placeholders[name]?.isObject === true;
  return emptyList === undefined || isObject ? { name, hasEmptyList: emptyList !== undefined } : undefined;
}

/** Whether a word in braces within a text is filled in. */
export function isTextPlaceholder(name: string): boolean {
  return Object.hasOwn(placeholders, name) && placeholders[name]?.isObject !== true;
}
