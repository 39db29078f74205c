import { hasSameShape } from "../../../foundation/json-shape.js";
import type { KnownFailure } from "../../../generated/types.js";
import type { Named } from "../replay/name-responses.js";
import { isTime } from "../text/dates.js";
import { jsonLeaves, type Leaf, mapLeaves } from "../text/json-leaves.js";
import { example } from "../text/secrets.js";
import type { Clean } from "./clean.js";
import { cleanContents } from "./clean-contents.js";

/**
 * The contents of rejections, as a profile has them. A number or an id in which two rejections of one name differ is
 * another one in each response, so all of them get one example.
 */
export class Rejections {
  /** Bodies, and texts that are not JSON. */
  readonly #contents: ReadonlyMap<Named, unknown>;
  /** The places where rejections of one name differ. */
  readonly #varying: ReadonlySet<string>;
  /** The first number at a place where they differ: the example. By path, or by name and path. */
  readonly #numbers = new Map<string, number>();

  constructor(entries: readonly Named[], clean: Clean) {
    this.#contents = cleanContents(entries, clean);
    this.#varying = findVarying(this.#contents);
  }

  /** Call it in the order of the requests: the first number at a place where they differ becomes the example. */
  contentOf(entry: Named): KnownFailure {
    const content = mapLeaves(this.#contents.get(entry), (leaf) => this.#written(entry.name, leaf));
    return entry.response.json === undefined ? { text: String(content) } : { body: content };
  }

  #written(name: string, { path, value }: Leaf): unknown {
    // Such as the time that the service took. At this path, it means the same in rejections of every name.
    if (isFraction(value)) return this.#firstNumber(path, value);
    const place = placeKey(name, path);
    if (!this.#varying.has(place)) return value;
    // Such as a code, which may mean something else in rejections of another name.
    if (typeof value === "number") return this.#firstNumber(place, value);
    return isLikeId(value) ? example : value;
  }

  #firstNumber(place: string, value: number): number {
    const first = this.#numbers.get(place) ?? value;
    this.#numbers.set(place, first);
    return first;
  }

  /** The paths of values that are only examples in some response. */
  examplePaths(): Set<string> {
    const paths = new Set<string>();
    for (const [{ name }, content] of this.#contents) {
      for (const { path, value } of jsonLeaves(content))
        if (isFraction(value) || this.#varying.has(placeKey(name, path))) paths.add(path);
    }
    return paths;
  }
}

function placeKey(name: string, path: string): string {
  return `${name} ${path}`;
}

interface ComparedContent {
  readonly content: unknown;
  readonly leaves: readonly Leaf[];
}

/** Compares all rejections of each name with each other. */
function findVarying(contents: ReadonlyMap<Named, unknown>): Set<string> {
  const varying = new Set<string>();
  const byName = new Map<string, ComparedContent[]>();
  for (const [{ name, hasSeveralMistakes }, content] of contents) {
    // A service may report another one of several mistakes, so they differ for another reason.
    if (hasSeveralMistakes) continue;
    const compared = { content, leaves: jsonLeaves(content) };
    const earlier = byName.get(name) ?? [];
    for (const other of earlier)
      for (const path of varyingPaths(compared, other)) varying.add(placeKey(name, path));
    byName.set(name, [...earlier, compared]);
  }
  return varying;
}

function varyingPaths(one: ComparedContent, other: ComparedContent): string[] {
  if (!hasSameShape(one.content, other.content)) return [];
  return one.leaves.flatMap(({ path, value }, n) => {
    const another = other.leaves[n];
    // A text as a whole is what the rejection says. Lists may have other lengths.
    if (path === "" || another?.path !== path || another.value === value) return [];
    return isVolatile(value) || isVolatile(another.value) ? path : [];
  });
}

/** Whether a value may be another one in each response. */
function isVolatile(value: unknown): boolean {
  return typeof value === "number" || isLikeId(value);
}

/** A word with a digit may be the id of a request. A sentence, or a code in words, says what is wrong. */
function isLikeId(value: unknown): boolean {
  if (typeof value !== "string" || isTime(value)) return false;
  // Not one expression, which would take quadratic time.
  return /\d/.test(value) && !/\s/.test(value);
}

function isFraction(value: unknown): value is number {
  return typeof value === "number" && !Number.isInteger(value);
}
