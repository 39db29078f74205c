import { resolveResponses } from "../../contract/profile.js";
import { responseNames, successes } from "../../contract/response-names.js";
import type { KnownFailure, Profile, ProfileResponses } from "../../generated/types.js";
import type { Recorded } from "./recorded.js";
import type { Templates } from "./templates.js";

/** The responses that were seen, by name. */
export type Learned = ReadonlyMap<string, KnownFailure>;

/** @param names how the mock names the response to each request of the run */
export function learnResponses(
  transcript: readonly Recorded[],
  names: readonly (string | undefined)[],
  templates: Templates,
): Learned {
  const learned = new Map<string, KnownFailure>();
  for (const name of Object.keys(responseNames)) {
    const isSuccess = Object.hasOwn(successes, name);
    const entries = transcript.filter(
      (entry, i) => names[i] === name && entry.response.isSuccess === isSuccess && canHold(entry),
    );
    const responses = entries.map((entry) =>
      isSuccess ? templates.success(entry, entries) : templates.rejection(entry),
    );
    const usual = mostFrequent(responses, templates);
    if (usual) learned.set(name, usual);
  }
  return learned;
}

/** A response of a profile has a body. */
function canHold({ response: { status, isSuccess } }: Recorded): boolean {
  return ![204, 205, 304].includes(status) && status >= 200 && (!isSuccess || status < 300);
}

function mostFrequent(responses: readonly KnownFailure[], templates: Templates): KnownFailure | undefined {
  const keys = responses.map((response) => templates.key(response));
  const counts = keys.map((key) => keys.filter((one) => one === key).length);
  return responses[counts.indexOf(Math.max(...counts))];
}

/**
 * The responses of a profile. A name has its own response or, if no request provokes only the name itself, the most
 * frequent one of the names below it. Narrow names are written only where they differ.
 */
export function writeResponses(learned: Learned, templates: Templates): ProfileResponses {
  const written: Record<string, KnownFailure> = {};
  const chosen = new Map<string, KnownFailure>();
  for (const name of Object.keys(responseNames)) {
    const below = [...learned].filter(([one]) => one.startsWith(`${name}.`)).map(([, response]) => response);
    const response = learned.get(name) ?? mostFrequent(below, templates);
    if (response === undefined) continue;
    chosen.set(name, response);
    const wider = chosen.get(name.slice(0, Math.max(0, name.lastIndexOf("."))));
    if (wider && templates.key(wider) === templates.key(response)) continue;
    written[name] = { ...response, ...(wider?.headers && !response.headers && { headers: {} }) };
  }
  return written;
}

/** `profile`, with what an earlier one has and this run did not see. */
export function mergeProfiles(
  earlier: Profile,
  profile: Profile,
  learned: Learned,
  templates: Templates,
): Profile {
  const before = resolveResponses(earlier.responses);
  const isSeen = (name: string) => [...learned.keys()].some((one) => `${one}.`.startsWith(`${name}.`));
  const unseen = Object.keys(responseNames).filter((name) => !isSeen(name));
  const kept = unseen.flatMap((name) => {
    const { isTemplate = null, ...response } = before.get(name) ?? {};
    return isTemplate === null ? [] : [[name, response] as const];
  });
  return {
    ...earlier,
    ...profile,
    assume: { ...earlier.assume, ...profile.assume },
    responses: writeResponses(new Map([...learned, ...kept]), templates),
  };
}
