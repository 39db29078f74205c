import { gzipSync } from "node:zlib";
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

const theirs = { team_id: 4, provided_id: "theirs", name: "Theirs", token: "b".repeat(64) } as const;

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
interface Meeting<Id extends SituationId> {
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

const create = { user_group_id: "new", name: "New" };
const lookUp = { user_group_id: "acme", name: "Acme" };
const rotation = { method: "POST", body: { current_token: acme.token } };
const plainText = { "Content-Type": "text/plain" };
const form = { "Content-Type": "application/x-www-form-urlencoded" };
const untyped = { "Content-Type": undefined };

const get = (body: unknown, headers = {}): SentRequest => ({ body, headers });
const post = (body: unknown, headers = {}): SentRequest => ({ method: "POST", body, headers });
const withToken = (current_token: unknown) => post({ current_token });
const withAuthorization = (Authorization: string | undefined) => get(lookUp, { Authorization });
const newWith = (fields: object) => get({ ...create, ...fields });
const acmeWith = (fields: object) => get({ ...lookUp, ...fields });

const found = { found: { provided_id: "acme", name: "Acme" } };
const rotated = { rotated: "acme" };
const created = (group: Partial<FixtureGroup>): Done => ({ created: { provided_id: "new", ...group } });
/** Of values that no schema of a group allows. */
const createdWith = (group: object): Done => created(group as Partial<FixtureGroup>);
const isReplaced = { "existing group: other name": "replaced" } as const;
const noName = { later: "name: missing" } as const;
const noToken = { later: "current_token: other form" } as const;
const never = {} as const;

/** A request for every situation. The compiler names a situation, and an outcome, that has none. */
export const meetings: { readonly [Id in SituationId]: Meeting<Id> } = {
  "every response": { request: get(lookUp), does: never },
  "several problems": {
    request: get({ name: 7 }),
    does: {
      first: { later: "user_group_id: missing" },
      "types first": { later: "name: number" },
      all: { later: "user_group_id: missing" },
    },
  },

  "other path": { request: { path: "/api/other?x=1" }, does: never },
  "trailing slash": { request: { path: "/api/user/", body: lookUp }, does: { accepted: found } },
  "POST /videos": { request: { ...rotation, path: "/videos" }, does: { accepted: rotated } },
  "other method": { request: { method: "PUT", body: lookUp }, does: never },
  HEAD: { request: { method: "HEAD" }, does: never },
  OPTIONS: { request: { method: "OPTIONS" }, does: { "no content": { status: 204 } } },
  "too large": { request: get({ ...create, properties: { text: "x".repeat(103_000) } }), does: never },

  "no API token": { request: withAuthorization(undefined), does: never },
  "API token without scheme": { request: withAuthorization("test-api-token"), does: { accepted: found } },
  "other scheme": { request: withAuthorization("Bearer test-api-token"), does: { accepted: found } },
  "scheme in lower case": { request: withAuthorization("token test-api-token"), does: { accepted: found } },
  "wrong API token": { request: withAuthorization("Token nobody"), does: { accepted: found } },

  "fields in the query": {
    request: { path: "/api/user?user_group_id=acme&name=Acme" },
    does: { accepted: found },
  },
  "GET: no body": { request: {}, does: { accepted: { later: "user_group_id: missing" } } },
  "POST: no body": {
    request: { method: "POST" },
    does: { accepted: { later: "current_token: missing" } },
  },
  gzip: {
    request: get(gzipSync(JSON.stringify(lookUp)), { "Content-Encoding": "gzip" }),
    does: { accepted: found },
  },
  "GET: no Content-Type": { request: get(lookUp, untyped), does: { accepted: found } },
  "POST: no Content-Type": { request: { ...rotation, headers: untyped }, does: { accepted: rotated } },
  "GET: form": { request: get("user_group_id=acme&name=Acme", form), does: { accepted: found } },
  "POST: form": { request: post(`current_token=${acme.token}`, form), does: { accepted: rotated } },
  "GET: other Content-Type": { request: get(lookUp, plainText), does: { accepted: found } },
  "POST: other Content-Type": { request: { ...rotation, headers: plainText }, does: { accepted: rotated } },
  "GET: broken JSON": { request: get('{"user_group_id":"acme",}'), does: never },
  "POST: broken JSON": { request: post(`{"current_token":"${acme.token}",}`), does: never },
  "GET: text after the JSON": { request: get(`${JSON.stringify(lookUp)}}`), does: { accepted: found } },
  "GET: not an object": { request: get("[]"), does: never },
  "POST: not an object": { request: post("[]"), does: never },

  "user_group_id: missing": { request: get({ name: "New" }), does: never },
  "user_group_id: null": { request: newWith({ user_group_id: null }), does: never },
  "user_group_id: number": {
    request: newWith({ user_group_id: 7 }),
    does: { accepted: created({ provided_id: "7" }) },
  },
  "user_group_id: other type": {
    request: newWith({ user_group_id: true }),
    does: { accepted: created({ provided_id: "true" }) },
  },
  "user_group_id: empty": {
    request: newWith({ user_group_id: "" }),
    does: { accepted: created({ provided_id: "" }) },
  },
  "user_group_id: long": {
    request: newWith({ user_group_id: "123😀56" }),
    limit: { over: 5 },
    within: newWith({ user_group_id: "123😀5" }),
    does: { accepted: created({ provided_id: "123😀56" }) },
  },
  "user_group_id: short": {
    request: newWith({ user_group_id: "1😀" }),
    limit: { under: 3 },
    within: newWith({ user_group_id: "1😀3" }),
    does: { accepted: created({ provided_id: "1😀" }) },
  },
  "user_group_id: characters": {
    request: newWith({ user_group_id: "new.id" }),
    limit: { characters: "a-z 0-9 _ - space other" },
    within: newWith({ user_group_id: "é_0 z-9😀" }),
    does: { accepted: created({ provided_id: "new.id" }) },
  },
  "user_group_id: unstorable": { request: newWith({ user_group_id: "a\u0000b" }), does: never },

  "name: null": {
    request: newWith({ name: null }),
    does: { accepted: noName, empty: created({ name: "" }) },
  },
  "name: number": {
    request: newWith({ name: 7 }),
    does: { accepted: created({ name: "7" }), "as sent": createdWith({ name: 7 }) },
  },
  "name: boolean": {
    request: newWith({ name: true }),
    does: { accepted: created({ name: "true" }), "as sent": createdWith({ name: true }) },
  },
  "name: list": {
    request: newWith({ name: ["a", "b"] }),
    does: { accepted: created({ name: '["a","b"]' }), ignored: noName, "as text": created({ name: "a,b" }) },
  },
  "name: object": {
    request: newWith({ name: { a: 1 } }),
    does: {
      accepted: created({ name: '{"a":1}' }),
      ignored: noName,
      "as text": created({ name: "[object Object]" }),
    },
  },
  "name: empty": {
    request: newWith({ name: "" }),
    does: { accepted: created({ name: "" }), ignored: noName },
  },
  "name: blank": { request: newWith({ name: "   " }), does: { accepted: created({ name: "   " }) } },
  "name: long": {
    request: newWith({ name: "123😀56" }),
    limit: { over: 5 },
    within: newWith({ name: "123😀5" }),
    does: { accepted: created({ name: "123😀56" }) },
  },
  "name: short": {
    request: newWith({ name: "1😀" }),
    limit: { under: 3 },
    within: newWith({ name: "1😀3" }),
    does: { accepted: created({ name: "1😀" }) },
  },
  "name: characters": {
    request: newWith({ name: "é" }),
    limit: { characters: "A-Z a-z ~" },
    within: newWith({ name: "New~" }),
    does: { accepted: created({ name: "é" }) },
  },
  "existing group: name missing": { request: get({ user_group_id: "acme" }), does: { accepted: found } },
  "existing group: name null": {
    request: acmeWith({ name: null }),
    where: isReplaced,
    does: { accepted: found, empty: { found: { name: "" } } },
  },
  "existing group: name number": {
    request: acmeWith({ name: 8 }),
    where: isReplaced,
    does: { accepted: { found: { name: "8" } }, "as sent": { found: { name: 8 as unknown as string } } },
  },
  "existing group: name empty": {
    request: acmeWith({ name: "" }),
    where: isReplaced,
    does: { accepted: { found: { name: "" } }, ignored: found },
  },
  "existing group: name long": {
    request: acmeWith({ name: "123456" }),
    limit: { over: 5 },
    within: acmeWith({ name: "12345" }),
    does: { accepted: found },
  },

  "mapping: missing": { request: get(create), does: { accepted: created({ mapping: {} }) } },
  "mapping: null": { request: newWith({ mapping: null }), does: { accepted: created({ mapping: {} }) } },
  "mapping: text": { request: newWith({ mapping: "text" }), does: { accepted: created({ mapping: {} }) } },
  "mapping: other type": {
    request: newWith({ mapping: false }),
    does: { accepted: created({ mapping: {} }) },
  },
  "mapping: list": {
    request: newWith({ mapping: ["a", "b"] }),
    does: { accepted: created({ mapping: {} }), "by index": created({ mapping: { 0: "a", 1: "b" } }) },
  },
  "mapping: empty": { request: newWith({ mapping: {} }), does: { accepted: created({ mapping: {} }) } },
  "mapping key: text": {
    request: newWith({ mapping: { 40: "213", key: "214" } }),
    does: { accepted: created({ mapping: { 40: "213", key: "214" } }) },
  },
  "mapping value: number": {
    request: newWith({ mapping: { 40: 213 } }),
    does: {
      accepted: createdWith({ mapping: { 40: 213 } }),
      "as text": created({ mapping: { 40: "213" } }),
    },
  },
  "mapping value: boolean": {
    request: newWith({ mapping: { 40: true } }),
    does: {
      accepted: createdWith({ mapping: { 40: true } }),
      "as text": created({ mapping: { 40: "true" } }),
    },
  },
  "mapping value: null": {
    request: newWith({ mapping: { 40: null } }),
    does: { accepted: createdWith({ mapping: { 40: null } }) },
  },
  "mapping value: list": {
    request: newWith({ mapping: { 40: ["a"] } }),
    does: { accepted: createdWith({ mapping: { 40: ["a"] } }) },
  },
  "mapping value: object": {
    request: newWith({ mapping: { 40: { a: "b" } } }),
    does: { accepted: createdWith({ mapping: { 40: { a: "b" } } }) },
  },
  "mapping value: empty": {
    request: newWith({ mapping: { 40: "" } }),
    does: { accepted: created({ mapping: { 40: "" } }) },
  },
  "properties: missing": { request: get(create), does: { accepted: created({ properties: {} }) } },
  "properties: null": {
    request: newWith({ properties: null }),
    does: { accepted: created({ properties: {} }) },
  },
  "properties: text": {
    request: newWith({ properties: "text" }),
    does: { accepted: created({ properties: {} }) },
  },
  "properties: other type": {
    request: newWith({ properties: 7 }),
    does: { accepted: created({ properties: {} }) },
  },
  "properties: list": {
    request: newWith({ properties: ["a", { b: 1 }] }),
    does: {
      accepted: created({ properties: {} }),
      "by index": created({ properties: { 0: "a", 1: { b: 1 } } }),
    },
  },
  "GET: unknown field": { request: newWith({ colour: "red" }), does: { accepted: created({}) } },

  "current_token: missing": { request: post({}), does: { accepted: noToken } },
  "current_token: null": { request: withToken(null), does: { accepted: noToken } },
  "current_token: number": { request: withToken(7), does: { accepted: noToken } },
  "current_token: list": { request: withToken([acme.token]), does: { accepted: noToken } },
  "current_token: object": { request: withToken({ a: acme.token }), does: { accepted: noToken } },
  "current_token: empty": { request: withToken(""), does: { accepted: noToken } },
  "filename: null": {
    request: post({ current_token: acme.token, filename: null }),
    does: { accepted: rotated },
  },
  "filename: number": {
    request: post({ current_token: acme.token, filename: 7 }),
    does: { accepted: rotated },
  },
  "filename: other type": {
    request: post({ current_token: acme.token, filename: ["a"] }),
    does: { accepted: rotated },
  },
  "POST: unknown field": {
    request: post({ current_token: acme.token, colour: "red" }),
    does: { accepted: rotated },
  },
  "filename: sent": {
    request: post({ current_token: acme.token, filename: "video.mp4" }),
    does: { accepted: rotated },
  },

  "id of the other team's group": {
    request: get({ user_group_id: "theirs", name: "Ours" }),
    does: {
      "another group": { created: { team_id: 3, provided_id: "theirs", name: "Ours" } },
      "same group": { found: { team_id: 4, provided_id: "theirs", name: "Theirs" } },
    },
  },
  "user_group_id: capitals": {
    request: acmeWith({ user_group_id: "ACME" }),
    does: { "another group": created({ provided_id: "ACME" }), "same group": found },
  },
  "user_group_id: spaces": {
    request: acmeWith({ user_group_id: " acme " }),
    does: { "another group": created({ provided_id: " acme " }), "same group": found },
  },
  "new id: capitals": {
    request: newWith({ user_group_id: "New" }),
    does: { kept: created({ provided_id: "New" }), "lower case": created({ provided_id: "new" }) },
  },
  "new id: spaces": {
    request: newWith({ user_group_id: " new " }),
    does: { kept: created({ provided_id: " new " }), trimmed: created({ provided_id: "new" }) },
  },
  "name: spaces": {
    request: newWith({ name: " New " }),
    does: { kept: created({ name: " New " }), trimmed: created({ name: "New" }) },
  },
  "name: missing": {
    request: get({ user_group_id: "new" }),
    does: { accepted: created({ name: "new" }), empty: created({ name: "" }) },
  },
  "existing group: other name": {
    request: acmeWith({ name: "Other" }),
    does: { kept: found, replaced: { found: { name: "Other" } } },
  },
  "existing group: other mapping": {
    request: acmeWith({ mapping: { 41: "214" } }),
    does: {
      kept: { found: { mapping: { 40: "213" } } },
      replaced: { found: { mapping: { 41: "214" } } },
      merged: { found: { mapping: { 40: "213", 41: "214" } } },
    },
  },
  "existing group: other properties": {
    request: acmeWith({ properties: { region: "EU" } }),
    does: {
      kept: { found: { properties: { plan: "a" } } },
      replaced: { found: { properties: { region: "EU" } } },
      merged: { found: { properties: { plan: "a", region: "EU" } } },
    },
  },
  "existing group: mapping missing": {
    request: get(lookUp),
    does: {
      kept: { found: { mapping: { 40: "213" }, properties: { plan: "a" } } },
      removed: { found: { mapping: {}, properties: {} } },
    },
  },
  "name of another group": {
    request: newWith({ name: "Acme" }),
    does: { accepted: created({ name: "Acme" }) },
  },
  created: { request: get(create), does: never },
  found: { request: get(lookUp), does: never },

  "current_token: other form": {
    request: withToken("short"),
    does: { accepted: { later: "current_token: unknown" } },
  },
  "current_token: unknown": { request: withToken("f".repeat(64)), does: never },
  "current_token: of the other team": {
    request: withToken(theirs.token),
    does: { accepted: { rotated: "theirs" } },
  },
  "current_token: previous": { request: rotation, rotations: 1, does: { accepted: rotated } },
  "current_token: older": { request: rotation, rotations: 2, does: { accepted: rotated } },
  "rotated token": { request: rotation, does: { new: rotated, same: { sameToken: "acme" } } },
  rotated: { request: rotation, does: never },
};
