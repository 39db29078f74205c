import { assumptionIds, defaultAssumptions } from "../../fake/contract/assumptions.js";
import { MockError } from "../../fake/contract/mock-error.js";
import type { Progress } from "../progress.js";
import { facts } from "./facts.js";
import { learn, writeResponses } from "./learn-profile.js";
import { type FirstGroup, firstGroup, probes } from "./probes.js";
import { sentFields } from "./recorded.js";
import { compare, nameResponses, play } from "./replay.js";
import { type Answer, need, type Patience, ServiceClient, type Target } from "./service-client.js";

export interface VerifyOptions {
  readonly patience?: Patience;
  readonly progress?: Pick<Progress, "expect" | "begin" | "done">;
}

/** No text in it contains an API token. */
export type Report = Awaited<ReturnType<typeof verifyService>>;

/** Sends the requests of all probes, learns from the responses, and checks what was learned. */
export async function verifyService(target: Target, { patience, progress }: VerifyOptions = {}) {
  const service = new ServiceClient(target, patience);
  progress?.expect(1 + Object.keys(probes).length);
  const ask = async <Value>(name: string, probe: () => Promise<Value>) => {
    progress?.begin(`${name}:`);
    const answer = await service.ask(name, probe);
    progress?.done(`${name}:`, answer.why ? `not determinable: ${answer.why}` : "ok");
    return answer;
  };
  const group = await ask("first group", () => firstGroup(service));
  const problem = `verify cannot start with ${target.baseUrl}: ${group.why}. Check the URL and the API token, or pass a valid body with --sample.`;
  if (!service.known) throw new MockError("unreachable", problem);
  // If only later requests about the group failed, other probes can continue.
  if (group.value === undefined) {
    service.transcript.push(service.known);
    service.base = sentFields(service.known.request);
  }
  // Without the first group, nothing that is read from it is determinable.
  const first = group.value ?? new Proxy({} as FirstGroup, { get: () => need(false, `${group.why}`) });
  const findings = new Map<string, Answer<string>>();
  for (const [name, probe] of Object.entries(probes)) {
    const { value, ...reason } = await ask<unknown>(name, () => probe(service, first));
    findings.set(name, { ...(typeof value === "string" && { value: service.mask(value) }), ...reason });
  }
  const assumptions = assumptionIds.map((id) => {
    return { id, default: defaultAssumptions[id], value: null, ...findings.get(id) };
  });
  const values = assumptions.flatMap(({ id, value }) => (value === null ? [] : [[id, value]]));
  const assume = Object.fromEntries(values);
  const names = await nameResponses(service, assume);
  const learned = learn(service, names);
  const profile = {
    $schema: "./node_modules/usergroup-mock/schemas/profile.json",
    verified: { against: target.baseUrl, on: new Date().toISOString().slice(0, 10) },
    assume,
    responses: writeResponses(learned.responses),
  };
  const played = await play(service, profile);
  return {
    against: target.baseUrl,
    prefix: service.prefix,
    facts: Object.entries(facts).map(([id, fact]) => {
      const { value: detail, ...reason } = findings.get(id) ?? {};
      const verdict = reason.why ? "not determinable" : detail ? "broken" : "holds";
      return { fact, verdict, ...(detail && { detail }), ...reason };
    }),
    assumptions,
    profile,
    replay: compare(service, played, learned),
    run: { service, names, responses: learned.responses, played },
    isAnswered: group.value !== undefined && [...findings.values()].every(({ unanswered }) => !unanswered),
  };
}
