import type { LearnedResponses } from "../../../src/lab/verify/learn/learn-responses.js";
import { GroupClient } from "../../../src/lab/verify/service/group-client.js";
import type { LearnedProfile, Report, WrittenProfile } from "../../../src/lab/verify/verify-findings.js";

const noProfile: WrittenProfile = { $schema: "", verified: {}, accepts: {}, assume: {}, responses: {} };

interface LearnedParts extends Partial<Pick<LearnedProfile, "profile" | "entries" | "replay">> {
  readonly further?: LearnedProfile["replay"];
  readonly responses?: LearnedResponses;
  readonly fixedExamples?: readonly string[];
}

/** What a run has learned, as far as a test is about it. */
export function learnedProfile(parts: LearnedParts = {}): LearnedProfile {
  const nothing = { same: 0, exact: 0, of: 0, different: [] };
  const { profile = noProfile, entries = [], replay = nothing, further = nothing } = parts;
  const { responses = new Map(), fixedExamples = [] } = parts;
  return {
    client: new GroupClient({ baseUrl: "http://127.0.0.1:1", apiToken: "api-token" }),
    entries,
    replay,
    further: { ...further, requests: [] },
    profile,
    responses: {
      responses,
      examplePaths: new Set(),
      fixedExamples,
    },
  };
}

/** A report, as far as a test is about it. */
export function reportWith(parts: Partial<Report> = {}): Report {
  return {
    against: "http://service.example",
    prefix: "ugm-abcdef",
    requests: 0,
    groups: 0,
    facts: [],
    assumptions: [],
    rules: [],
    learned: undefined,
    unanswered: [],
    ...parts,
  };
}
