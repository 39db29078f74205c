import { responseNames } from "../contract/response-names.js";
import { isObject } from "../foundation/json.js";
import type { KnownFailure, ProfileResponses } from "../generated/types.js";

/** A response of the profile, with what it takes from wider names. */
export interface KnownResponse extends Readonly<KnownFailure> {
  /** Whether its body or text has placeholders. */
  readonly isTemplate?: boolean;
}

/** What placeholders stand for, by name. */
export type Placeholders = Readonly<Record<string, unknown>>;

/** In texts. */
const inText = /\{(user_group_id|name|current_token|path|method)\}/g;

/** As a whole value, which keeps its JSON type. */
const wholeValue = /^\{(user_group_id|name|current_token|path|method|mapping|properties)\}$/;

const unknown: KnownResponse = {};

/** The responses of a profile, by name. */
export class KnownResponses {
  readonly #byName = new Map<string, KnownResponse>();

  constructor(responses: ProfileResponses = {}) {
    const given = new Map<string, KnownFailure>(Object.entries(responses));
    // A wider name comes before its narrower ones.
    for (const name of Object.keys(responseNames)) {
      const wider = this.find(name.slice(0, Math.max(0, name.lastIndexOf("."))));
      const own = given.get(name) ?? {};
      const { body, text, ...others } = wider;
      const hasContent = own.body !== undefined || own.text !== undefined;
      const response = hasContent ? { ...others, ...own } : { ...wider, ...own };
      const texts = JSON.stringify([response.body, response.text]);
      if (Object.keys(response).length > 0)
        this.#byName.set(name, { ...response, isTemplate: /\{\w+\}/.test(texts) });
    }
  }

  /** Empty if the profile has nothing about it. */
  find(name: string): KnownResponse {
    return this.#byName.get(name) ?? unknown;
  }
}

/** A JSON value with its placeholders filled in. */
export function fillIn(value: unknown, given: Placeholders): unknown {
  if (typeof value === "string") {
    const [, whole] = wholeValue.exec(value) ?? [];
    return whole === undefined ? fillText(value, given) : (given[whole] ?? null);
  }
  if (Array.isArray(value)) return value.map((one) => fillIn(one, given));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, fillIn(one, given)]));
}

/** A text with its placeholders filled in. */
export function fillText(text: string, given: Placeholders): string {
  return text.replace(inText, (_, name: string) => {
    const value = given[name] ?? "";
    return typeof value === "string" ? value : JSON.stringify(value);
  });
}
