import { isObject } from "../foundation/json.js";
import type { AssumptionId, AssumptionValues } from "../service/assumptions.js";
import type { Asker, ServiceResponse } from "./ask.js";
import { neverIssued } from "./facts.js";

/** The answers do not decide the question. The message says why. */
export class NotDeterminable extends Error {}

type Questions = { readonly [Id in AssumptionId]: (ask: Asker) => Promise<AssumptionValues[Id]> };

/** Finds the value of each assumption from the answers to a few calls. */
export const questions: Questions = {
  "api-tokens": (ask) => bySuccess(ask.create({}, { apiToken: `${ask.prefix}-unknown` }), "any", "listed"),
  "auth-scheme": (ask) =>
    bySuccess(ask.create({}, { authorization: `token ${ask.target.apiToken}` }), "any-case", "exact"),
  "group-scope": async (ask) => {
    const { body, second } = await twoTeams(ask);
    const other = expectSuccess(
      await ask.getOrCreate(body, { apiToken: second }),
      "the other team could not look the id up",
    );
    const isNew = other.json?.new_user_group;
    if (typeof isNew !== "boolean")
      throw new NotDeterminable("the answer does not say whether the group is new");
    return isNew ? "per-team" : "global";
  },
  "name-on-create": async (ask) => {
    const id = ask.newId();
    const nameless = await ask.getOrCreate({ user_group_id: id });
    if (!nameless.isSuccess) return "required";
    if (nameless.group.name === id) return "defaults-to-id";
    throw new NotDeterminable(`the name became ${JSON.stringify(nameless.group.name)}, not the id`);
  },
  "existing-group": async (ask) => {
    const { body } = await created(ask);
    const { name } = (await ask.getOrCreate({ ...body, name: "Renamed" })).group;
    if (name === "Renamed") return "updated";
    if (name === body.name) return "unchanged";
    throw new NotDeterminable(
      `the name became ${JSON.stringify(name)}, which is neither the old nor the new one`,
    );
  },
  "created-status": async (ask) => {
    const { status } = expectSuccess(await ask.create(), "a group could not be created");
    if (status === 200 || status === 201) return `${status}`;
    throw new NotDeterminable(`the status was ${status}, which is neither 200 nor 201`);
  },
  "rotated-token": async (ask) => {
    const { token } = await created(ask);
    const rotated = expectSuccess(await ask.rotate(token), "rotate failed");
    const after = rotated.group.token;
    if (after === undefined) throw new NotDeterminable("the answer to rotate has no token");
    return after === token ? "same" : "new";
  },
  "old-token": async (ask) => {
    const { token } = await created(ask);
    const rotated = expectSuccess(await ask.rotate(token), "rotate failed");
    if (rotated.group.token === token)
      throw new NotDeterminable("rotation keeps the token, so there is no old token");
    return bySuccess(ask.rotate(token), "accepted", "rejected");
  },
  "foreign-token": async (ask) => {
    const { token, second } = await twoTeams(ask);
    return bySuccess(ask.rotate(token, { apiToken: second }), "accepted", "rejected");
  },
  "failure-status": async (ask) => {
    const { status } = await aFailure(ask);
    return status === 200 ? "always-200" : "by-kind";
  },
  "failure-body": async (ask) => {
    const { success, ...others } = (await aFailure(ask)).json ?? {};
    if (Object.keys(others).length === 0) return "bare";
    if (isObject(others.error)) return "error-object";
    if (typeof others.message === "string") return "message";
    throw new NotDeterminable(
      `the body has ${Object.keys(others).join(", ")}, which matches none of the values`,
    );
  },
  "unknown-fields": async (ask) => {
    const { body } = await created(ask);
    return bySuccess(ask.getOrCreate({ ...body, not_in_the_interface: 1 }), "ignored", "rejected");
  },
  "mapping-values": (ask) => bySuccess(ask.create({ mapping: { "40": 213 } }), "accepted", "rejected"),
  "numeric-ids": async (ask) => {
    const id = ask.newNumber();
    const numeric = await ask.getOrCreate({ user_group_id: id, name: ask.newId() });
    if (!numeric.isSuccess) return "rejected";
    if (numeric.group.provided_id === `${id}`) return "coerced";
    throw new NotDeterminable(`provided_id became ${JSON.stringify(numeric.group.provided_id)} for ${id}`);
  },
  // Only the name: a group with an empty id could belong to someone else.
  "empty-strings": (ask) => bySuccess(ask.create({ name: "" }), "accepted", "rejected"),
  "content-type": (ask) => bySuccess(ask.create({}, { contentType: "text/plain" }), "accepted", "rejected"),
  "trailing-slash": (ask) => bySuccess(ask.create({}, { path: "/api/user/" }), "accepted", "rejected"),
  "videos-path": async (ask) => {
    const { token } = await created(ask);
    return bySuccess(ask.rotate(token, { path: "/videos" }), "rotates", "absent");
  },
};

/** For a question that one response decides. */
async function bySuccess<Value extends string>(
  response: Promise<ServiceResponse>,
  success: Value,
  failure: Value,
): Promise<Value> {
  return (await response).isSuccess ? success : failure;
}

function expectSuccess(answer: ServiceResponse, failure: string): ServiceResponse {
  if (answer.isSuccess) return answer;
  throw new NotDeterminable(`${failure} (status ${answer.status})`);
}

async function created(ask: Asker) {
  const body = ask.newGroup();
  const answer = expectSuccess(await ask.getOrCreate(body), "a group could not be created");
  const { token, team_id } = answer.group;
  return { body, token, team_id };
}

async function aFailure(ask: Asker): Promise<ServiceResponse> {
  const answer = await ask.rotate(neverIssued);
  if (answer.isSuccess) throw new NotDeterminable("rotating an unknown token succeeded");
  if (answer.json === undefined)
    throw new NotDeterminable(`a failed call, with status ${answer.status}, is not JSON`);
  return answer;
}

/** Creates a group of the first team. Returns it with the API token of the second team. */
async function twoTeams(ask: Asker) {
  const second = ask.target.secondApiToken;
  if (second === undefined) throw new NotDeterminable("it needs two teams: pass --second-api-token");
  const made = expectSuccess(await ask.create({}, { apiToken: second }), "the second API token is refused");
  const group = await created(ask);
  if (made.group.team_id === group.team_id) {
    throw new NotDeterminable("both API tokens belong to one team: pass a token of another team");
  }
  return { ...group, second };
}
