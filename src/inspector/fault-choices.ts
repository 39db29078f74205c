import { type FaultKind, faultKinds, kindNames } from "../contract/fault-kinds.js";
import { operations } from "../contract/operations.js";
import { isObject, parseJson } from "../foundation/json.js";
import type { FaultRequest, FaultRule, Operation } from "../generated/types.js";
import { codeLiteral } from "./code-literal.js";
import { invalidHeader, parseHeaders } from "./header-lines.js";

export const initialForm = {
  choice: "status",
  status: "503",
  headers: "",
  responseBody: "",
  delayMs: "",
  operation: "" as "" | Operation,
  group: "",
  match: "",
  team: "",
  phase: "before" as "before" | "after",
  times: "1",
  skip: "",
};

/** The texts in the fields of the form. */
export type FaultFields = Readonly<typeof initialForm>;

type KindForm = (typeof faultKinds)[FaultKind]["form"];

export interface FaultChoice extends KindForm {
  readonly id: string;
  /** Field values that are set when the effect is chosen. */
  readonly presets?: Partial<FaultFields>;
  readonly effect: (form: FaultFields) => object;
}

/** Kinds without parameters. */
type Switch = { [Kind in FaultKind]: true extends FaultRule[Kind] ? Kind : never }[FaultKind];

/** The other kinds, made from the fields of the form. */
const effectFrom: Readonly<Record<Exclude<FaultKind, Switch>, (form: FaultFields) => object>> = {
  status: ({ status, headers, responseBody }) => ({
    status: Number(status),
    ...(headers.trim() !== "" && { headers: parseHeaders(headers) }),
    ...(responseBody !== "" && textOrJson(responseBody)),
  }),
  // Every fault can have this field, so `faultOf` sets it.
  delayMs: () => ({}),
};

function textOrJson(text: string): object {
  const body = parseJson(text);
  return body === undefined ? { text } : { body };
}

const lostRotation: FaultChoice = {
  id: "lost",
  title: "Lost rotation",
  description: "The token is rotated, but the response with the new token is lost.",
  presets: { operation: "rotate", phase: "after", group: "", match: "", times: "1" },
  effect: () => ({ reset: true }),
};

/** Every kind of fault, the most common first. */
export const faultChoices: readonly FaultChoice[] = kindNames.flatMap((id) => {
  const made: Partial<Record<FaultKind, FaultChoice["effect"]>> = effectFrom;
  const choice = {
    id,
    ...faultKinds[id].form,
    presets: { times: "1" },
    effect: made[id] ?? (() => ({ [id]: true })),
  };
  return id === "reset" ? [lostRotation, choice] : [choice];
});

export function choiceOf(form: FaultFields): FaultChoice | undefined {
  return faultChoices.find(({ id }) => id === form.choice);
}

/** Whether requests of an operation have a user_group_id to match. */
export function namesGroup(operation: Operation | ""): boolean {
  return operation === "" || operations[operation].namesGroup;
}

/** The fault that the form describes, or what to correct in the form. */
export function faultOf(form: FaultFields): { readonly fault: FaultRequest } | { readonly error: string } {
  const { operation, group, match, team, phase, times, skip, delayMs } = form;
  const choice = choiceOf(form);
  const error = errorIn(form);
  if (error !== undefined || choice === undefined) return { error: error ?? "Choose what goes wrong." };
  const matched = {
    ...(match.trim() !== "" && (parseJson(match) as object)),
    ...(group !== "" && namesGroup(operation) && { user_group_id: group }),
  };
  const fault = {
    ...(operation !== "" && { operation }),
    ...(Object.keys(matched).length > 0 && { match: matched }),
    ...(team !== "" && { team_id: Number(team) }),
    ...(phase === "after" && { phase }),
    ...choice.effect(form),
    ...(delayMs !== "" && { delayMs: Number(delayMs) }),
    ...(times !== (choice.presets?.times ?? "1") && {
      times: times === "always" ? ("always" as const) : Number(times),
    }),
    ...(skip !== "" && skip !== "0" && { skip: Number(skip) }),
  };
  return { fault };
}

function errorIn(form: FaultFields): string | undefined {
  const { status, delayMs, match, headers, times } = form;
  const { has = [] } = choiceOf(form) ?? {};
  if (has.includes("status") && !isBetween(status, 400, 599)) return "Enter a status from 400 to 599.";
  if (has.includes("delayMs") && !isBetween(delayMs, 1, 600_000))
    return "Enter a delay from 1 to 600000 milliseconds.";
  if (times !== "always" && !isBetween(times, 1, Number.MAX_SAFE_INTEGER))
    return 'Enter how often it fires: 1 or more, or "always".';
  if (match.trim() !== "" && !isObject(parseJson(match))) return "The body to match must be a JSON object.";
  if (has.includes("response") && Object.hasOwn(parseHeaders(headers), "")) return invalidHeader;
  return undefined;
}

function isBetween(text: string, min: number, max: number): boolean {
  return /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max;
}

/** The line of code that arms this fault in a test. */
export function toCode(fault: FaultRequest): string {
  return `await mock.fault(${codeLiteral(fault)});`;
}
