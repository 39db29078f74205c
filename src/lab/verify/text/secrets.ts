import { printable } from "../../../foundation/printable.js";
import { decodeText, originalRange } from "./decode-text.js";
import { likelySecrets } from "./likely-secrets.js";
import { plainFieldValues, quotedFieldValues } from "./secret-fields.js";
import { replaceRanges, type TextRange } from "./text-range.js";
import { findForms, tokenForms, tokenFormsWithin } from "./token-forms.js";

/** What stands for a secret in a profile. */
export const example = "example";

/**
 * Decides what may be a secret, for the profile and for everything that verify prints: known tokens, the values of
 * fields whose name suggests a secret, and what looks like one. A service may send long tokens and long texts, so every
 * search takes linear time.
 */
export class Secrets {
  readonly #tokens = new Set<string>();
  /** The forms of the tokens that are searched for. */
  readonly #forms = new Set<string>();
  /** Results of `hide`, by replacement and text: many responses of a service are equal. */
  #hidden = new Map<string, string>();

  /** @param apiTokens a service may send them as a part of a longer text that it encodes, such as base64 */
  constructor(apiTokens: readonly string[]) {
    for (const token of apiTokens) {
      this.add(token);
      for (const form of tokenFormsWithin(token)) this.#forms.add(form);
    }
  }

  /** Adds the token of a group. */
  add(token: string): void {
    if (this.#tokens.has(token)) return;
    this.#tokens.add(token);
    for (const form of tokenForms(token)) this.#forms.add(form);
    // Earlier results may show this token.
    this.#hidden = new Map();
  }

  /** The text without what may be a secret. */
  hide(text: string, replacement = example): string {
    const key = `${replacement} ${text}`;
    const known = this.#hidden.get(key);
    if (known !== undefined) return known;
    const hidden = replaceRanges(text, this.#secretsIn(text), replacement);
    this.#hidden.set(key, hidden);
    return hidden;
  }

  /** A text for the user, without secrets and control characters: a service may send back what it received. */
  show(text: string): string {
    return printable(this.hide(text, "[secret]"));
  }

  #secretsIn(text: string): TextRange[] {
    const texts = decodeText(text);
    // A token that has escapes in it may be in any of the texts.
    const tokens = texts.flatMap((decoded) => {
      return findForms(decoded.text, this.#forms).map((range) => originalRange(decoded, range));
    });
    // Only quotedFieldValues needs the earlier texts. The others search the last one: an escape such as \u00e4 in an earlier
    // text has digits, which would make an ordinary word look like a key.
    const last = texts.at(-1) ?? texts[0];
    const others = [...likelySecrets(last.text), ...plainFieldValues(last.text)];
    return [...tokens, ...quotedFieldValues(texts), ...others.map((range) => originalRange(last, range))];
  }
}
