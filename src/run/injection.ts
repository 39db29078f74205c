import { unescape as decode } from "node:querystring";
import { MockError } from "../fake/contract/mock-error.js";
import { operationIds } from "../fake/contract/operations.js";
import type { FaultRule, Operation } from "../generated/types.js";

/** The failures that `exec --inject` and `explore --faults` put in the place of one response, as rules of faults. */
const injectedFailures = {
  unavailable: { status: 503 },
  throttled: { status: 429, headers: { "Retry-After": "0" } },
  reset: { reset: true },
  /** The request takes effect, then the connection is reset. */
  lost: { reset: true, phase: "after" },
  /** Nobody releases it. `explore` ends it: `failureRule`. */
  silent: { hold: true },
  garbled: { malformed: true, phase: "after" },
  cut: { truncate: true, phase: "after" },
} as const satisfies Record<string, FaultRule>;

/** What a failure does to a request. @param silenceMs how long `silent` lasts before it resets the connection */
export function failureRule(failure: FailureName, silenceMs?: number): FaultRule {
  if (failure === "silent" && silenceMs !== undefined) return { delayMs: silenceMs, reset: true };
  return injectedFailures[failure];
}

export type FailureName = keyof typeof injectedFailures;

export const failureNames = Object.keys(injectedFailures) as readonly FailureName[];

/** Requests of a run. Those of parallel tests have the same names in every run, as each test has its own place. */
export interface RequestName {
  /** A world; or its place: the id of the test that uses it, or the label of its last reset. Missing: any world. */
  readonly world?: string;
  readonly operation: Operation;
  /** Missing: any group. */
  readonly group?: string;
}

/** One failure at one request: `rotate:acme#2=lost`. */
export interface Injection extends RequestName {
  /** From 1. */
  readonly occurrence: number;
  readonly failure: FailureName;
}

/** `w3/rotate:acme`; the default world is left out if a group is named. Names are encoded as in a URL. */
export function requestNameText({ world, operation, group }: RequestName): string {
  const place = world === undefined || (world === "default" && group !== undefined) ? "" : `${world}/`;
  return `${place}${operation}${group === undefined ? "" : `:${encodeURIComponent(group)}`}`;
}

/** `rotate:acme#2=lost` */
export function injectionText(injection: Injection): string {
  return `${requestNameText(injection)}#${injection.occurrence}=${injection.failure}`;
}

/** World, operation, group, occurrence, failure. */
const injectionFormat = new RegExp(
  `^(?:([^/:#=]+)/)?(${operationIds.join("|")})(?::([^#=]*))?(?:#([1-9]\\d*))?=(${failureNames.join("|")})$`,
);

/** Parses `rotate:acme#2=lost`. Throws if it is invalid. */
export function parseInjection(text: string): Injection {
  const [, world, operation, group, occurrence = "1", failure] = injectionFormat.exec(text) ?? [];
  if (operation === undefined) {
    const advice = "Name a request and a failure, such as rotate:acme#2=lost.";
    const names = `Operations: ${operationIds.join(", ")}. Failures: ${failureNames.join(", ")}.`;
    throw new MockError("invalid_option", `--inject ${JSON.stringify(text)} is invalid. ${advice} ${names}`);
  }
  const inWorld = world ?? (group === undefined ? undefined : "default");
  return {
    operation: operation as Operation,
    ...(inWorld !== undefined && { world: inWorld }),
    ...(group !== undefined && { group: decode(group) }),
    occurrence: Number(occurrence),
    failure: failure as FailureName,
  };
}
