import { assumptionIds, defaultAssumptions } from "../../contract/assumptions.js";
import { MockError } from "../../contract/mock-error.js";
import type { Progress } from "../progress.js";
import { facts, firstGroup } from "./facts.js";
import { Learner } from "./learn-profile.js";
import { probes } from "./probes.js";
import { compare, nameResponses, play } from "./replay.js";
import {
  NoResponse,
  NotDeterminable,
  type Patience,
  ServiceClient,
  type Target,
  usualPatience,
} from "./service-client.js";

export interface VerifyOptions {
  readonly patience?: Patience;
  /** Is told about every probe. */
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
  progress?.begin("first group:");
  const first = await service
    .attempt(() => firstGroup(service))
    .catch((error: Error) => {
      if (!(error instanceof NoResponse)) throw error;
      const why = service.mask(error.message);
      throw new MockError("unreachable", `No usable response from ${target.baseUrl}: ${why}. Check the URL.`);
    });
  progress?.done("first group:", "ok");
  const findings = new Map<string, Awaited<ReturnType<typeof ask>>>();
  for (const [name, probe] of Object.entries(probes)) {
    progress?.begin(`${name}:`);
    service.probe = name;
    const found = await ask(service, () => probe(service, first));
    findings.set(name, found);
    progress?.done(`${name}:`, found.why ? `not determinable: ${found.why}` : "ok");
  }
  const assumptions = assumptionIds.map((id) => {
    return { id, default: defaultAssumptions[id], value: null, ...findings.get(id) };
  });
  const values = assumptions.flatMap(({ id, value }) => (value === null ? [] : [[id, value]]));
  const assume = Object.fromEntries(values);
  const names = await nameResponses(service, assume);
  const learner = new Learner(service, names);
  const profile = {
    $schema: "./node_modules/usergroup-mock/schemas/profile.json",
    verified: { against: target.baseUrl, on: new Date().toISOString().slice(0, 10) },
    assume,
    responses: learner.responses(),
  };
  const played = await play(service, profile);
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
    replay: compare(service, played, learner),
    run: { service, names, learner, played },
    isAnswered: [...findings.values()].every(({ unanswered }) => !unanswered),
  };
}

/** The value of an assumption, or what is wrong with a fact; or why it is not determinable. */
async function ask(
  service: ServiceClient,
  probe: () => Promise<unknown>,
): Promise<{
  readonly value?: string;
  readonly why?: string;
  readonly unanswered?: true;
}> {
  try {
    const value = await service.attempt(probe);
    return typeof value === "string" ? { value: service.mask(value) } : {};
  } catch (error) {
    if (!(error instanceof NotDeterminable)) throw error;
    return { why: service.mask(error.message), ...(error instanceof NoResponse && { unanswered: true }) };
  }
}
