import { type AssumptionId, assumptionIds, defaultAssumptions } from "../../contract/assumptions.js";
import { MockError } from "../../contract/mock-error.js";
import type { Profile } from "../../generated/types.js";
import { type FactId, facts } from "./facts.js";
import { learnResponses } from "./learn-profile.js";
import { probes, type Reading } from "./probes.js";
import { type Replay, replay } from "./replay.js";
import {
  NoResponse,
  NotDeterminable,
  type Patience,
  ServiceClient,
  type Target,
  usualPatience,
} from "./service-client.js";

/** Why something is not determinable. */
interface Reason {
  readonly why: string;
  /** There was no usable response. */
  readonly unanswered?: true;
}

export interface FoundFact extends Partial<Reason> {
  readonly fact: string;
  readonly verdict: "holds" | "broken" | "not determinable";
  /** What is wrong. */
  readonly detail?: string;
}

export interface FoundValue extends Partial<Reason> {
  readonly id: AssumptionId;
  readonly default: string;
  /** null: not determinable. */
  readonly value: string | null;
}

/** No text in it contains an API token. */
export interface Report {
  readonly against: string;
  /** Prefix of the ids of the created groups. */
  readonly prefix: string;
  readonly facts: readonly FoundFact[];
  readonly assumptions: readonly FoundValue[];
  /** What was learned. */
  readonly profile: Profile;
  /** The names of the responses that were seen. */
  readonly observed: readonly string[];
  /** The probes that got no usable response. */
  readonly unanswered: readonly string[];
  readonly replay: Replay;
}

export interface VerifyOptions {
  readonly patience?: Patience;
  /** Is called before the first request, and before every probe. */
  readonly onBegin?: (step: string) => void;
  readonly onDone?: (step: string, result: string) => void;
}

type ProbeName = keyof typeof probes;

/** The probe that settles each question and each fact. */
const settledBy: Readonly<Record<AssumptionId | FactId, ProbeName>> = {
  "api-tokens": "an unknown API token",
  "auth-scheme": "another scheme",
  "group-scope": "another team",
  "name-on-create": "name",
  "existing-group": "an existing group",
  "created-status": "a group and its token",
  "rotated-token": "a group and its token",
  "old-token": "an old token",
  "foreign-token": "another team",
  "failure-status": "all rejections",
  "failure-body": "all rejections",
  "unknown-fields": "an unknown field",
  "mapping-values": "mapping",
  "numeric-ids": "user_group_id",
  "empty-strings": "empty texts",
  "content-type": "Content-Type",
  "trailing-slash": "another method and path",
  "videos-path": "/videos",
  created: "a group and its token",
  rotated: "a group and its token",
  flag: "a group and its token",
  group: "a group and its token",
  sent: "a group and its token",
  rotatedGroup: "a group and its token",
  rotatedToken: "a group and its token",
  mapping: "mapping and properties",
  authorization: "no Authorization header",
  failure: "all rejections",
};

export const probeNames = Object.keys(probes) as readonly ProbeName[];

/** Sends the requests of all probes, learns from the responses, and checks what was learned. */
export async function verifyService(
  target: Target,
  { patience = usualPatience, onBegin, onDone }: VerifyOptions = {},
): Promise<Report> {
  const service = new ServiceClient(target, patience);
  onBegin?.("first request");
  await sendFirst(service);
  onDone?.("first request", "ok");
  const readings = new Map<ProbeName, Reading | Reason>();
  for (const name of probeNames) {
    onBegin?.(name);
    const reading = await ask(service, async () => (await probes[name](service)) ?? {});
    readings.set(name, reading);
    onDone?.(name, "why" in reading ? `not determinable: ${reading.why}` : "ok");
  }
  /** What a probe read about a question or fact, or why it could not. */
  const read = (id: AssumptionId | FactId): string | undefined | Reason => {
    const reading = readings.get(settledBy[id]) ?? {};
    if ("why" in reading) return reading;
    const found = reading[id];
    return found instanceof NotDeterminable ? { why: service.mask(found.message) } : found;
  };
  const assumptions = assumptionIds.map((id): FoundValue => {
    const found = read(id) ?? null;
    const start = { id, default: defaultAssumptions[id] };
    return typeof found === "string" ? { ...start, value: found } : { ...start, value: null, ...found };
  });
  const found = assumptions.flatMap(({ id, value }) => (value === null ? [] : [[id, value]]));
  const learned = learnResponses(service);
  const profile = {
    $schema: "./node_modules/usergroup-mock/schemas/profile.json",
    verified: { against: target.baseUrl, on: new Date().toISOString().slice(0, 10) },
    assume: Object.fromEntries(found),
    responses: learned.responses,
  };
  return {
    against: target.baseUrl,
    prefix: service.prefix,
    facts: (Object.keys(facts) as FactId[]).map((id): FoundFact => {
      const fact = facts[id];
      const problem = read(id);
      if (problem === undefined) return { fact, verdict: "holds" };
      if (typeof problem === "object") return { fact, verdict: "not determinable", ...problem };
      return { fact, verdict: "broken", detail: service.mask(problem) };
    }),
    assumptions,
    profile,
    observed: learned.observed,
    unanswered: [...readings].flatMap(([name, reading]) => ("unanswered" in reading ? [name] : [])),
    replay: await replay(service, profile, learned),
  };
}

async function ask<Result>(service: ServiceClient, probe: () => Promise<Result>): Promise<Result | Reason> {
  try {
    return await service.attempt(probe);
  } catch (error) {
    if (error instanceof NotDeterminable) return { why: service.mask(error.message) };
    if (error instanceof NoResponse) return { why: service.mask(error.message), unanswered: true };
    throw error;
  }
}

/** Finds a body that succeeds. Throws if this is another service, if it does not respond, or if the token is wrong. */
async function sendFirst(service: ServiceClient): Promise<void> {
  const { baseUrl, sample } = service.target;
  const { mapping: _, ...unmapped } = service.base;
  let status: number | undefined;
  // A service may not know the schema of the usual mapping.
  for (const base of sample ? [sample] : [service.base, unmapped, { name: unmapped.name }]) {
    service.base = base;
    const body = service.newBody();
    const response = await ask(service, () => service.getOrCreate(body));
    if ("why" in response)
      throw new MockError(
        "unreachable",
        `No usable response from ${baseUrl}: ${response.why}. Check the URL.`,
      );
    if (response.isSuccess) {
      service.known = { body, token: response.group.token };
      return;
    }
    status ??= response.status;
    // The body was not the reason.
    if ([401, 403, 404].includes(status) || response.fields.success === undefined) break;
  }
  const failure = `The first request to ${baseUrl}/api/user returned status ${status} and no success`;
  const advice = `Check ${sample ? "the sample, " : ""}the URL and the API token`;
  throw new MockError("unreachable", `${failure}. ${advice}.`);
}
