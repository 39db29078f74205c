import { hasSameShape } from "../../../foundation/json-shape.js";
import type { KnownFailure } from "../../../generated/types.js";
import type { Named } from "../replay/play.js";
import { severalMistakes } from "../service/recorded.js";
import { FirstTime, isTime } from "../text/dates.js";
import { jsonLeaves, type Leaf, mapLeaves, renameFields } from "../text/json-leaves.js";
import { isSecretField } from "../text/secrets.js";
import { asExample, type Clean } from "./learn-values.js";
import {
  repeatedFields,
  sentValues,
  textWithoutBraces,
  withoutBraces,
  withPlaceholders,
} from "./placeholders.js";

/** The content of a rejection, with its leaves. */
interface ComparedContent {
  readonly content: unknown;
  readonly leaves: readonly Leaf[];
}

/** The contents of rejections, with placeholders for what their requests sent. */
export class Rejections {
  readonly examplePaths = new Set<string>();
  /** The name of a response and the path of a value in which the responses of this name differ. */
  readonly #differing = new Set<string>();
  readonly #contents = new Map<Named, unknown>();
  readonly #cleanText: Clean;
  /** The fields of requests that the service repeats in texts. */
  readonly #repeated: ReadonlySet<string>;
  readonly #times = new FirstTime();
  /** The first number at a place where they differ. */
  readonly #numbers = new Map<string, unknown>();

  constructor(entries: readonly Named[], clean: Clean) {
    this.#cleanText = clean;
    this.#repeated = repeatedFields(entries);
    for (const entry of entries) this.#contents.set(entry, this.#clean(entry));
    this.#findExamples();
  }

  /** Compares the rejections of each name. Those of several mistakes differ for another reason. */
  #findExamples(): void {
    const byName = new Map<string, ComparedContent[]>();
    for (const [{ name, inexpressible }, content] of this.#contents) {
      if (inexpressible === severalMistakes) continue;
      const compared = { content, leaves: jsonLeaves(content) };
      const earlier = byName.get(name) ?? [];
      for (const other of earlier) this.#noteDifferences(name, compared, other);
      byName.set(name, [...earlier, compared]);
    }
  }

  contentOf(entry: Named): KnownFailure {
    const content = mapLeaves(this.#contents.get(entry), ({ path, value }) => {
      if (typeof value === "number" && !Number.isInteger(value)) return this.#firstNumber(path, value);
      const place = `${entry.name} ${path}`;
      if (!this.#differing.has(place)) return value;
      if (typeof value === "number") return this.#firstNumber(place, value);
      return isLikeId(value) ? asExample(value) : value;
    });
    return entry.response.json === undefined ? { text: String(content) } : { body: content };
  }

  /** A body or a text, without what identifies the run or may be a secret. */
  #clean(entry: Named): unknown {
    const { json, text } = entry.response;
    const literal = withoutBraces(json === undefined ? text : json);
    const named = renameFields(literal, textWithoutBraces);
    const placed = withPlaceholders(named, sentValues(entry), this.#repeated);
    const clean = mapLeaves(placed, ({ path, value }) => {
      if (isSecretIn(path) && !isPlaceholder(value)) return asExample(value);
      // Such as the time that the service took.
      if (typeof value === "number" && !Number.isInteger(value)) this.examplePaths.add(path);
      const settled = this.#times.settle(value);
      return typeof settled === "string" ? this.#cleanText(settled) : settled;
    });
    return renameFields(clean, this.#cleanText);
  }

  /** Notes the values in which two responses of one name differ. */
  #noteDifferences(name: string, one: ComparedContent, other: ComparedContent): void {
    if (!hasSameShape(one.content, other.content)) return;
    for (const [n, { path, value }] of one.leaves.entries()) {
      const another = other.leaves[n];
      if (path === "" || another?.path !== path || another.value === value) continue;
      if (!isVolatile(value) && !isVolatile(another.value)) continue;
      this.examplePaths.add(path);
      this.#differing.add(`${name} ${path}`);
    }
  }

  /** The codes of another name may mean something else. A time that the service took never does. */
  #firstNumber(place: string, value: number): unknown {
    if (!this.#numbers.has(place)) this.#numbers.set(place, value);
    return this.#numbers.get(place);
  }
}

/** Whether a value may be another one in each response. */
function isVolatile(value: unknown): boolean {
  return typeof value === "number" || isLikeId(value);
}

/** A word with a digit may be the id of a request. A sentence, or a code in words, says what is wrong. */
function isLikeId(value: unknown): boolean {
  return typeof value === "string" && /^\S*\d\S*$/.test(value) && !isTime(value);
}

/** In a rejection, a field of the request is the key of messages about it. */
function isSecretIn(path: string): boolean {
  return path.split("/").some(isSecretField);
}

function isPlaceholder(value: unknown): boolean {
  return typeof value === "string" && /^\{\w+\}$/.test(value);
}
