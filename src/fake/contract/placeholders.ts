import { shippedSchemas } from "../../generated/shipped-schemas.js";

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

/** The Content-Type of a text, unless headers have one. */
export function textType(text: string): string {
  return `text/${text.trimStart().startsWith("<") ? "html" : "plain"}; charset=utf-8`;
}
