import { resolveResponses } from "../../contract/profile.js";
import { responseNames, successes, textType } from "../../contract/response-names.js";
import { hasSameShape, mapValues } from "../../foundation/json-shape.js";
import { printable } from "../../foundation/printable.js";
import type { KnownFailure, Profile } from "../../generated/types.js";
import { bareType } from "./recorded.js";
import type { Report } from "./verify-service.js";

/** A value or a response that has changed. */
export interface Drift {
  /** The id of an assumption, or the name of a response. */
  readonly id: string;
  readonly expected: string;
  readonly found: string;
}

/** What has changed since a profile was written: values, and status, content type and fields of responses. */
export function findDrift(expected: Profile, { assumptions, profile, observed }: Report): Drift[] {
  const [before, now] = [expected, profile].map(({ responses }) => resolveResponses(responses));
  const values = assumptions.flatMap(({ id, value: found }) => {
    // The response `created` has the status too.
    const isTwice = id === "created-status" && expected.responses?.created?.status !== undefined;
    const value = isTwice ? undefined : expected.assume?.[id];
    const hasChanged = value !== undefined && found !== null && found !== String(value);
    return hasChanged ? [{ id: String(id), expected: String(value), found }] : [];
  });
  const responses = observed.flatMap((id) => {
    const [was, is] = [before?.get(id) ?? {}, now?.get(id) ?? {}];
    if (Object.keys(was).length === 0 || isSameKnown(id, was, is)) return [];
    return [{ id, expected: summary(was), found: summary(is) }];
  });
  return [...values, ...responses];
}

/** Whether status, content type, fields and types are those of `was`, as far as it has them. Texts are not compared. */
function isSameKnown(name: string, was: KnownFailure, is: KnownFailure): boolean {
  // Without a body, a success adds no fields.
  const nothing = Object.hasOwn(successes, name) ? {} : undefined;
  const [before, now] = [was, is].map(({ body = nothing }) => withTypes(body));
  const hasContent = before !== undefined || was.text !== undefined;
  return (
    (was.status ?? is.status) === is.status &&
    (!hasContent || (typeIn(was) === typeIn(is) && hasSameShape(before, now)))
  );
}

/** The objects that placeholders stand for may have any fields. */
function withTypes(value: unknown): unknown {
  return value === "{mapping}" || value === "{properties}" ? {} : mapValues(value, withTypes);
}

function typeIn({ headers = {}, text }: KnownFailure): string {
  const [, type] = Object.entries(headers).find(([name]) => /^content-type$/i.test(name)) ?? [];
  return bareType(type ?? (text === undefined ? "application/json" : textType(text)));
}

/** A response of a profile in one line. */
export function summary(known: KnownFailure): string {
  const { status, body, text = "" } = known;
  const content = printable(body === undefined ? text : JSON.stringify(body));
  return `${status} ${typeIn(known)} ${content.length > 100 ? `${content.slice(0, 100)}…` : content}`.trim();
}

/** `profile`, with what an earlier one has and this run did not see. */
export function mergeProfiles(earlier: Profile, { profile, observed }: Report): Profile {
  const isSeen = (name: string) => observed.some((one) => one === name || one.startsWith(`${name}.`));
  const kept = Object.entries(earlier.responses ?? {}).filter(([name]) => !isSeen(name));
  const responses = { ...Object.fromEntries(kept), ...profile.responses };
  const [before, now] = [earlier.responses, responses].map((one) => resolveResponses(one));
  // What had its response from a wider name keeps it.
  const narrow = Object.keys(responseNames).filter((name) => !isSeen(name) && !(name in responses));
  const hidden = narrow.flatMap((name) => {
    const { isTemplate: _, ...was } = before?.get(name) ?? {};
    const isKept = Object.keys(was).length > 0 && !isSameKnown(name, was, now?.get(name) ?? {});
    return isKept ? [[name, was]] : [];
  });
  return {
    ...earlier,
    ...profile,
    assume: { ...earlier.assume, ...profile.assume },
    responses: { ...responses, ...Object.fromEntries(hidden) },
  };
}
