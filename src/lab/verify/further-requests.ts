import { randomBytes } from "node:crypto";
import { operationIds, operations, servicePath } from "../../fake/contract/operations.js";
import type { JsonObject } from "../../foundation/json.js";
import type { Operation } from "../../generated/types.js";
import { BudgetEnded, furtherPart } from "./budget.js";
import { Walk, type WalkedGroup } from "./further-walk.js";
import { NotDeterminable } from "./not-determinable.js";
import { severalMistakes } from "./recorded.js";
import type { ServiceClient } from "./service-client.js";

// Nothing is learned from these requests, and they are drawn without the tables from which verify learns: they measure
// how right the profile is about what verify has not seen.

/** Sends one request. Undefined if it is not possible now, such as an old token without a rotation. */
type Action = (walk: Walk) => Promise<unknown> | undefined;

/** Sends what a program might send: about three quarters of it are correct requests. */
export async function sendFurtherRequests(service: ServiceClient): Promise<void> {
  const walk = new Walk(service);
  for (let n = 0; n < furtherPart.requests; n++) {
    // Groups first. Every fourth request is a mistake.
    const action = n < 2 ? create : walk.draw.one(n % 4 === 3 ? mistakenActions : correctActions);
    try {
      await (action(walk) ?? lookUpById(walk) ?? create(walk));
    } catch (error) {
      if (error instanceof BudgetEnded) return;
      // It has no response, or none about a group of this run.
      if (!(error instanceof NotDeterminable)) throw error;
    }
  }
}

/** A request about a group, if there is one. */
function about(send: (walk: Walk, group: WalkedGroup) => Promise<unknown> | undefined): Action {
  return (walk) => {
    const group = walk.someGroup();
    return group && send(walk, group);
  };
}

function create(walk: Walk): Promise<unknown> | undefined {
  if (!walk.canCreate) return undefined;
  const mapping = walk.draw.below(3) > 0 ? walk.newMapping() : undefined;
  const properties = walk.draw.below(3) > 0 ? walk.newProperties() : undefined;
  return walk.create({ name: walk.newName(), mapping, properties });
}

/** Names need not be unique, unless the service says so. */
const createWithUsedName = about((walk, group) => {
  return walk.canCreate ? walk.create({ name: group.name, properties: walk.newProperties() }) : undefined;
});

function createInSecondTeam(walk: Walk): Promise<unknown> | undefined {
  const { target, groups, hasSecondTeam } = walk.service;
  if (!hasSecondTeam || target.secondApiToken === undefined || !walk.canCreate) return undefined;
  const body = { user_group_id: groups.newId(), name: walk.newName() };
  return walk.service.send(body, { apiToken: target.secondApiToken });
}

const lookUpById = about((walk, group) => walk.lookUp(group, {}));

const lookUpWithAll = about((walk, group) => {
  const { name, mapping, properties } = group;
  return walk.lookUp(group, { name, mapping, properties });
});

const lookUpByName = about((walk, group) => walk.lookUp(group, { name: group.name }));

const rename = about((walk, group) => {
  const { mapping, properties } = group;
  return walk.lookUp(group, { name: walk.newName(), mapping, properties });
});

const remap = about((walk, group) => {
  const { name, properties } = group;
  return walk.lookUp(group, { name, mapping: walk.newMapping(), properties });
});

const otherProperties = about((walk, group) =>
  walk.lookUp(group, { name: group.name, properties: walk.newProperties() }),
);

const rotateLatest = about((walk, group) => walk.rotate(group, group.tokens.at(-1)));

const rotateWithFilename = about((walk, group) =>
  walk.rotate(group, group.tokens.at(-1), { filename: walk.draw.one(["intro.mov", "a b.mp4"]) }),
);

/** A rotation with a token that so many rotations have replaced. */
function oldToken(age: number): Action {
  return (walk) => {
    const group = walk.groups.find(({ tokens }) => tokens.length > age);
    return group ? walk.rotate(group, group.tokens.at(-1 - age)) : rotateLatest(walk);
  };
}

/** The usual requests are drawn more often. */
const correctActionsOf: Readonly<Record<Operation, readonly Action[]>> = {
  "get-or-create": [
    ...[create, lookUpById, lookUpById, lookUpWithAll, lookUpWithAll],
    ...[lookUpByName, rename, remap, otherProperties, createWithUsedName, createInSecondTeam],
  ],
  rotate: [rotateLatest, rotateLatest, rotateLatest, rotateWithFilename, oldToken(1), oldToken(2)],
};

const correctActions: readonly [Action, ...Action[]] = [
  create,
  ...operationIds.flatMap((operation) => correctActionsOf[operation]),
];

/** A get-or-create with wrong fields: for a new group, or for one that exists. */
function withWrong(wrong: (walk: Walk) => JsonObject): Action {
  return (walk) => {
    const fields = { name: walk.newName(), ...wrong(walk) };
    const group = walk.someGroup();
    const isNew = walk.canCreate && walk.draw.below(2) === 0;
    if (isNew || group === undefined) return walk.canCreate ? walk.create(fields) : undefined;
    return walk.lookUp(group, { ...fields, name: wrong(walk).name ?? group.name });
  };
}

/** A rotation that names no group. */
function withToken(token: (walk: Walk) => JsonObject): Action {
  return (walk) => walk.service.send(token(walk), { method: operations.rotate.method });
}

function longText(walk: Walk): string {
  return walk.newName().padEnd(walk.draw.one([70, 130, 270, 600]), "y");
}

/** A token of the form that the service uses, which it never issued. */
function neverIssuedToken(walk: Walk): string {
  const token = walk.someGroup()?.tokens.at(-1) ?? "none";
  const invented = token.slice(0, -8) + randomBytes(4).toString("hex");
  walk.service.inventedTokens.add(invented);
  return invented;
}

const twoMistakes = { inexpressible: severalMistakes };

/** Ordinary mistakenActions. Never an empty id, null, a list or an object as id: a service may take it for somebody's group. */
const mistakenActions: readonly [Action, ...Action[]] = [
  (walk) => (walk.canCreate ? walk.create({ properties: walk.newProperties() }) : undefined),
  withWrong(() => ({ name: ["a", "b"] })),
  withWrong(() => ({ name: { first: "a" } })),
  withWrong(() => ({ name: 12.5 })),
  withWrong(() => ({ name: null, properties: { region: "EU" } })),
  withWrong(() => ({ name: "", properties: { region: "EU" } })),
  withWrong((walk) => ({ name: longText(walk) })),
  withWrong(() => ({ mapping: [] })),
  withWrong(() => ({ mapping: "40=213" })),
  withWrong(() => ({ mapping: { "40": 7 } })),
  withWrong(() => ({ mapping: null })),
  withWrong(() => ({ properties: ["a"] })),
  withWrong(() => ({ properties: "a" })),
  withWrong(() => ({ properties: null })),
  withWrong(() => ({ color: "red" })),
  (walk) => walk.service.send({ name: walk.newName(), properties: walk.newProperties() }),
  (walk) => walk.service.send({ name: 5, mapping: [] }, twoMistakes),
  withToken(() => ({ current_token: "" })),
  withToken(() => ({ current_token: "undefined" })),
  withToken(() => ({ current_token: null })),
  withToken(() => ({ current_token: 42 })),
  withToken(() => ({ token: "a" })),
  withToken(() => ({})),
  withToken((walk) => ({ current_token: neverIssuedToken(walk) })),
  withToken((walk) => ({ current_token: neverIssuedToken(walk), filename: "intro.mov" })),
  (walk) => walk.service.send("{'user_group_id': 'a'}"),
  (walk) => walk.service.send(undefined, { method: operations.rotate.method }),
  about((walk, group) =>
    walk.lookUp(group, { name: group.name }, { contentType: "text/plain; charset=utf-8" }),
  ),
  about((walk, group) => walk.lookUp(group, {}, { path: "/api/users" })),
  about((walk, group) => walk.lookUp(group, { name: group.name }, { path: `${servicePath}/` })),
  about((walk, group) => walk.lookUp(group, { name: group.name }, { method: "PUT" })),
  about((walk, group) => walk.lookUp(group, {}, { apiToken: null })),
  withToken((walk) => ({ user_group_id: walk.someGroup()?.id, name: walk.newName() })),
];
