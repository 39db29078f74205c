import { assumptionIds, defaultAssumptions } from "../../contract/assumptions.js";
import { MockError } from "../../contract/mock-error.js";
import type { Progress } from "../progress.js";
import { facts } from "./facts.js";
import { Learner } from "./learn-profile.js";
import { probes } from "./probes.js";
import { nameResponses, replay } from "./replay.js";
import {
  NotDeterminable,
  type Patience,
  ServiceClient,
  type Target,
  Unanswered,
  usualPatience,
} from "./service-client.js";

/** What a probe has found. */
interface ProbeResult {
  /** The value of an assumption, or what is wrong with a fact. */
  readonly value?: string;
  /** Why it is not determinable. */
  readonly why?: string;
  /** There was no usable response. */
  readonly unanswered?: true;
}

export interface VerifyOptions {
  readonly patience?: Patience;
  /** Is told about the first request, and about every probe. */
  readonly progress?: Pick<Progress, "expect" | "begin" | "done">;
}

/** No text in it contains an API token. */
export type Report = Awaited<ReturnType<typeof verifyService>>;

/** Sends the requests of all probes, learns from the responses, and checks what was learned. */
export async function verifyService(
  target: Target,
  { patience = usualPatience, progress }: VerifyOptions = {},
) {
  const service = new ServiceClient(target, patience);
  progress?.expect(1 + Object.keys(probes).length);
  progress?.begin("first request:");
  await sendFirst(service);
  progress?.done("first request:", "ok");
  const findings = new Map<string, ProbeResult>();
  for (const [name, probe] of Object.entries(probes)) {
    progress?.begin(`${name}:`);
    service.probe = name;
    const found = await ask(service, probe);
    findings.set(name, found);
    progress?.done(`${name}:`, found.why ? `not determinable: ${found.why}` : "ok");
  }
  const assumptions = assumptionIds.map((id) => {
    return { id, default: defaultAssumptions[id], value: null, ...findings.get(id) };
  });
  const values = assumptions.flatMap(({ id, value }) => (value === null ? [] : [[id, value]]));
  const assume = Object.fromEntries(values);
  const learner = new Learner(service);
  learner.learn(await nameResponses(service, assume));
  const profile = {
    $schema: "./node_modules/usergroup-mock/schemas/profile.json",
    verified: { against: target.baseUrl, on: new Date().toISOString().slice(0, 10) },
    assume,
    responses: learner.responses(),
  };
  return {
    against: target.baseUrl,
    /** Of the ids of the created groups. */
    prefix: service.prefix,
    facts: Object.entries(facts).map(([id, fact]) => {
      const { value: detail, ...reason } = findings.get(id) ?? {};
      const verdict = reason.why ? "not determinable" : detail ? "broken" : "holds";
      return { fact, verdict, ...(detail && { detail }), ...reason };
    }),
    assumptions,
    profile,
    replay: await replay(service, profile, learner),
    learner,
    /** The probes that got no usable response. */
    unanswered: [...findings].flatMap(([name, { unanswered }]) => (unanswered ? [name] : [])),
  };
}

async function ask(
  service: ServiceClient,
  probe: (typeof probes)[keyof typeof probes],
): Promise<ProbeResult> {
  try {
    const value = await service.attempt<unknown>(() => probe(service));
    return typeof value === "string" ? { value: service.mask(value) } : {};
  } catch (error) {
    if (!(error instanceof NotDeterminable)) throw error;
    return { why: service.mask(error.message), ...(error instanceof Unanswered && { unanswered: true }) };
  }
}

/** Finds a body that succeeds. Throws if this is another service, if it does not respond, or if the token is wrong. */
async function sendFirst(service: ServiceClient): Promise<void> {
  const { baseUrl, sample } = service.target;
  const statuses: number[] = [];
  // A service may not know the schema of the usual mapping.
  for (const base of sample ? [sample] : [service.base, { name: service.base.name }]) {
    service.base = base;
    const { status, isSuccess, fields } = await service
      .attempt(() => service.create())
      .catch((error: Error) => {
        const why = service.mask(error.message);
        throw new MockError("unreachable", `No usable response from ${baseUrl}: ${why}. Check the URL.`);
      });
    service.known = isSuccess ? service.transcript.at(-1) : undefined;
    if (service.known) return;
    statuses.push(status);
    // The body was not the reason.
    if ([401, 403, 404].includes(status) || fields.success === undefined) break;
  }
  const failure = `The first request to ${baseUrl}/api/user returned status ${statuses[0]} and no success`;
  const advice = `Check ${sample ? "the sample, " : ""}the URL and the API token`;
  throw new MockError("unreachable", `${failure}. ${advice}.`);
}
