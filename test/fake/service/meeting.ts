import type { OutcomeOf, SituationId } from "../../../src/fake/contract/situations.js";
import type { Fixture, FixtureGroup, KnownSituations } from "../../../src/index.js";
import type { SentRequest } from "./send-request.js";

/** The groups of these mocks: `acme` is of the team that sends the requests, `theirs` of the other one. */
export const acme = {
  team_id: 3,
  provided_id: "acme",
  name: "Acme",
  token: "a".repeat(64),
  mapping: { "40": "213" },
  properties: { plan: "a" },
} as const satisfies FixtureGroup;

export const theirs = { team_id: 4, provided_id: "theirs", name: "Theirs", token: "b".repeat(64) } as const;

export const twoTeams: Fixture = {
  teams: [
    { team_id: 3, api_tokens: ["test-api-token"] },
    { team_id: 4, api_tokens: ["other-api-token"] },
  ],
  user_groups: [acme, theirs],
};

/** What a request that is not rejected in its situation does. */
export type Done =
  | { readonly created: Partial<FixtureGroup> }
  | { readonly found: Partial<FixtureGroup> }
  | { readonly rotated: string }
  | { readonly sameToken: string }
  /** It is rejected all the same, in a later situation. */
  | { readonly later: SituationId }
  | { readonly status: number };

/** A request that meets a situation, and what it does for each outcome that is not a rejection. */
export interface Meeting<Id extends SituationId> {
  readonly request: SentRequest;
  /** How often the token of `acme` is rotated before. */
  readonly rotations?: number;
  /** What the service does in other situations, so that the outcome shows. */
  readonly where?: KnownSituations;
  /** What is accepted, in a row with a limit, and a request that is just within it. */
  readonly limit?: { readonly over?: number; readonly under?: number; readonly characters?: string };
  readonly within?: SentRequest;
  readonly does: { readonly [Outcome in Exclude<OutcomeOf<Id>, "rejected">]: Done };
}

export const create = { user_group_id: "new", name: "New" };
export const lookUp = { user_group_id: "acme", name: "Acme" };
export const rotation = { method: "POST", body: { current_token: acme.token } };
export const plainText = { "Content-Type": "text/plain" };
export const form = { "Content-Type": "application/x-www-form-urlencoded" };
export const untyped = { "Content-Type": undefined };

export const get = (body: unknown, headers = {}): SentRequest => ({ body, headers });
export const post = (body: unknown, headers = {}): SentRequest => ({ method: "POST", body, headers });
export const withToken = (current_token: unknown) => post({ current_token });
export const withAuthorization = (Authorization: string | undefined) => get(lookUp, { Authorization });
export const newWith = (fields: object) => get({ ...create, ...fields });
export const acmeWith = (fields: object) => get({ ...lookUp, ...fields });

export const found = { found: { provided_id: "acme", name: "Acme" } };
export const rotated = { rotated: "acme" };
export const created = (group: Partial<FixtureGroup>): Done => ({
  created: { provided_id: "new", ...group },
});
/** Of values that no schema of a group allows. */
export const createdWith = (group: object): Done => created(group as Partial<FixtureGroup>);
export const isReplaced = { "existing group: other name": "replaced" } as const;
export const noName = { later: "name: missing" } as const;
export const noToken = { later: "current_token: other form" } as const;
export const never = {} as const;
