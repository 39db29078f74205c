import type { Profile } from "../../generated/types.js";
import type { FurtherRequest } from "./further/further-requests.js";
import type { AssumptionFinding } from "./learn/conclude-assumptions.js";
import type { FactFinding } from "./learn/conclude-facts.js";
import type { ObservedRule } from "./learn/learn-accepts.js";
import type { Learned } from "./learn/learn-responses.js";
import type { Comparison } from "./replay/compare.js";
import type { Named } from "./replay/name-responses.js";
import type { GroupClient } from "./service/group-client.js";

/** What was concluded from the responses of a service. */
export interface Findings {
  readonly rules: readonly ObservedRule[];
  readonly facts: readonly FactFinding[];
  readonly assumptions: readonly AssumptionFinding[];
}

/** What a run has found. No text of a finding contains a secret; `learned` has the requests themselves. */
export interface Report extends Findings {
  readonly against: string;
  readonly prefix: string;
  readonly requests: number;
  readonly groups: number;
  /** Undefined if the run was interrupted. */
  readonly learned: LearnedProfile | undefined;
  /** The questions that got no usable response. Those that were not asked because the budget ended do not count. */
  readonly unanswered: readonly string[];
}

/** What a run has learned, and how right it is. */
export interface LearnedProfile {
  readonly profile: WrittenProfile;
  readonly further: FurtherComparison;
  readonly replay: Comparison;
  /** The responses of the profile before they are written, and which of their values are examples. */
  readonly responses: Learned;
  /** The requests from which it was learned, for a comparison with another profile. */
  readonly entries: readonly Named[];
  readonly client: GroupClient;
}

export type WrittenProfile = Required<Profile> & { readonly $schema: string };

/** How a mock with the profile responds to requests from which it was not learned. */
export interface FurtherComparison extends Comparison {
  readonly requests: readonly {
    readonly title: string;
    readonly kind: FurtherRequest["kind"];
    readonly same: boolean;
    readonly exact: boolean;
  }[];
}
