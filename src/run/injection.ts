import { operationIds } from "../contract/operations.js";
import { fieldOf } from "../foundation/json.js";
import { MockError } from "../foundation/mock-error.js";
import { hint } from "../foundation/nearest.js";
import type { FaultRule, Operation } from "../generated/types.js";
import type { GroupStore } from "../store/group-store.js";

/**
 * The failures that `exec --inject` and `explore --faults` put in the place of one response, and the fault that does it.
 * `silent` has none: nothing is ever sent.
 */
export const injectedFailures = {
  unavailable: { status: 503 },
  throttled: { status: 429, headers: { "Retry-After": "0" } },
  reset: { reset: true },
  /** The request takes effect, then the connection is reset. */
  lost: { reset: true, phase: "after" },
  silent: "silent",
  garbled: { malformed: true, phase: "after" },
  cut: { truncate: true, phase: "after" },
} as const satisfies Record<string, FaultRule | "silent">;

export type FailureName = keyof typeof injectedFailures;

export const failureNames = Object.keys(injectedFailures) as readonly FailureName[];

/** One call of a run. Calls of parallel tests keep their names when each test has a world of its own. */
export interface RequestName {
  /** Missing: any world. */
  readonly world?: string;
  readonly operation: Operation;
  /** Missing: any group. */
  readonly group?: string;
}

/** One failure at one call: `rotate:acme#2=lost`. */
export interface Injection {
  readonly call: RequestName;
  /** From 1. */
  readonly occurrence: number;
  readonly failure: FailureName;
}

/** `w3/rotate:acme`; the default world is left out where a group is named. Names are encoded as in a URL. */
export function requestNameText({ world, operation, group }: RequestName): string {
  const place = world === undefined || (world === "default" && group !== undefined) ? "" : `${world}/`;
  return `${place}${operation}${group === undefined ? "" : `:${encodeURIComponent(group)}`}`;
}

/** `rotate:acme#2=lost` */
export function injectionText({ call, occurrence, failure }: Injection): string {
  return `${requestNameText(call)}#${occurrence}=${failure}`;
}

/** Parses `rotate:acme#2=lost`, or throws what is wrong with it. */
export function parseInjection(text: string): Injection {
  const [, world, operation = "", group, occurrence = "1", failure = ""] =
    /^(?:([^/:#=]+)\/)?([^/:#=]+)(?::([^#=]*))?(?:#(\d+))?=(.+)$/.exec(text) ?? [];
  const refuse = (why: string): never => {
    const example = "Name a call and a failure, as in rotate:acme#2=lost.";
    throw new MockError("invalid_option", `--inject ${JSON.stringify(text)}: ${why}. ${example}`);
  };
  if (operation === "") return refuse("this is no call and failure");
  const known = operationIds.find((id) => id === operation);
  if (known === undefined)
    return refuse(`there is no operation ${operation}${hint(operation, operationIds)}`);
  const named = failureNames.find((name) => name === failure);
  if (named === undefined) return refuse(`there is no failure ${failure}${hint(failure, failureNames)}`);
  if (Number(occurrence) < 1) return refuse("calls are counted from 1");
  const inWorld = world ?? (group === undefined ? undefined : "default");
  return {
    call: {
      operation: known,
      ...(inWorld !== undefined && { world: inWorld }),
      ...(group !== undefined && { group: decode(group) }),
    },
    occurrence: Number(occurrence),
    failure: named,
  };
}

/** The group that a call is about: by its id, or by its token. A rotation may have an id, which means nothing. */
export function groupOfRequest(operation: Operation, body: unknown, groups: GroupStore): string {
  if (operation === "get-or-create") return String(fieldOf(body, "user_group_id"));
  return groups.withToken(String(fieldOf(body, "current_token")))?.group.provided_id ?? "-";
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
