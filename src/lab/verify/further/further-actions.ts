import { randomBytes } from "node:crypto";
import { operationIds, operations, servicePath } from "../../../fake/contract/operations.js";
import type { JsonObject } from "../../../foundation/json.js";
import type { Operation } from "../../../generated/types.js";
import { severalMistakes, unusedMethod } from "../service/recorded.js";
import type { RequestOptions } from "../service/service-client.js";
import type { Walk, WalkedGroup } from "./further-walk.js";

/** Sends one request. Undefined if it is not possible now, such as an old token without a rotation. */
type Send = (walk: Walk) => Promise<unknown> | undefined;

/** What a program might send. */
export type Action = readonly [title: string, send: Send];

/** A request about a group, if there is one. */
function about(send: (walk: Walk, group: WalkedGroup) => Promise<unknown> | undefined): Send {
  return (walk) => {
    const group = walk.someGroup();
    return group && send(walk, group);
  };
}

export const create: Action = [
  "create",
  (walk) => {
    if (!walk.canCreate) return undefined;
    const mapping = walk.draw.below(3) > 0 ? walk.newMapping() : undefined;
    const properties = walk.draw.below(3) > 0 ? walk.newProperties() : undefined;
    return walk.create({ name: walk.newName(), mapping, properties });
  },
];

/** Names need not be unique, unless the service says so. */
const createWithUsedName: Action = [
  "create with a name that another group has",
  about((walk, group) => {
    return walk.canCreate ? walk.create({ name: group.name, properties: walk.newProperties() }) : undefined;
  }),
];

const createInSecondTeam: Action = [
  "create in the second team",
  (walk) => {
    const options = ofSecondTeam(walk);
    if (options === undefined || !walk.canCreate) return undefined;
    return walk.client.send({ user_group_id: walk.client.groups.newId(), name: walk.newName() }, options);
  },
];

function ofSecondTeam({ client }: Walk): RequestOptions | undefined {
  const { secondApiToken } = client.target;
  return client.hasSecondTeam && secondApiToken !== undefined ? { apiToken: secondApiToken } : undefined;
}

const lookUpById: Action = ["look up by id alone", about((walk, group) => walk.lookUp(group, {}))];

const lookUpWithAll: Action = [
  "look up with everything",
  about((walk, group) => {
    const { name, mapping, properties } = group;
    return walk.lookUp(group, { name, mapping, properties });
  }),
];

const lookUpByName: Action = [
  "look up with id and name",
  about((walk, group) => walk.lookUp(group, { name: group.name })),
];

const rename: Action = [
  "look up with another name",
  about((walk, group) => {
    const { mapping, properties } = walk.draw.isOneIn(2) ? group : {};
    return walk.lookUp(group, { name: walk.newName(), mapping, properties });
  }),
];

const remap: Action = [
  "look up with another mapping",
  about((walk, group) => {
    const { name, properties } = walk.draw.isOneIn(2) ? group : {};
    return walk.lookUp(group, { name, mapping: walk.newMapping(), properties });
  }),
];

const otherProperties: Action = [
  "look up with other properties",
  about((walk, group) => {
    const { name } = walk.draw.isOneIn(2) ? group : {};
    return walk.lookUp(group, { name, properties: walk.newProperties() });
  }),
];

const rotateLatest: Action = ["rotate", about((walk, group) => walk.rotate(group, group.tokens.at(-1)))];

const rotateWithFilename: Action = [
  "rotate with filename",
  about((walk, group) =>
    walk.rotate(group, group.tokens.at(-1), { filename: walk.draw.one(["intro.mov", "a b.mp4"]) }),
  ),
];

/** A rotation with a token that so many rotations have replaced. */
function oldToken(title: string, age: number): Action {
  return [
    title,
    (walk) => {
      const group = walk.groups.find(({ tokens }) => tokens.length > age);
      return group && walk.rotate(group, group.tokens.at(-1 - age));
    },
  ];
}

/** A get-or-create with wrong fields: usually for a new group, for which a program sends all fields. */
function withWrong(title: string, wrong: (walk: Walk) => JsonObject): Action {
  return [
    title,
    (walk) => {
      const fields = wrong(walk);
      const group = walk.someGroup();
      const isNew = walk.canCreate && !walk.draw.isOneIn(4);
      if (!isNew) return group && walk.lookUpOnce(group, { name: group.name, ...fields });
      return walk.createOnce({ name: walk.newName(), ...fields });
    },
  ];
}

/** A wrong get-or-create for a new group. */
function newWith(title: string, fields: (walk: Walk) => JsonObject): Action {
  return [title, (walk) => (walk.canCreate ? walk.createOnce(fields(walk)) : undefined)];
}

/** A get-or-create with an unusual id. */
function withId(title: string, id: (walk: Walk) => unknown): Action {
  return [title, (walk) => walk.client.send({ user_group_id: id(walk), name: walk.newName() })];
}

/** A look-up of a group in an unusual way. */
function lookUpAs(title: string, options: RequestOptions): Action {
  return [title, about((walk, group) => walk.lookUp(group, { name: group.name }, options))];
}

/** A rotation that names no group. */
function withToken(title: string, body: (walk: Walk) => JsonObject): Action {
  return [title, (walk) => walk.client.send(body(walk), { method: operations.rotate.method })];
}

function longText(walk: Walk, text: string): string {
  return text.padEnd(walk.draw.one([70, 130, 270, 600]), "y");
}

/** A token of the form that the service uses, which it never issued. */
function neverIssuedToken(walk: Walk): string {
  const token = walk.someGroup()?.tokens.at(-1) ?? "none";
  const invented = token.slice(0, -8) + randomBytes(4).toString("hex");
  walk.client.inventedTokens.add(invented);
  return invented;
}

const twoMistakes = { inexpressible: severalMistakes };

/** What a program sends that makes no mistake; a token may be old. The usual requests are drawn more often. */
const correctOf: Readonly<Record<Operation, readonly Action[]>> = {
  "get-or-create": [
    ...[create, lookUpById, lookUpById, lookUpWithAll, lookUpWithAll],
    ...[lookUpByName, rename, remap, otherProperties, createWithUsedName, createInSecondTeam],
  ],
  rotate: [
    ...[rotateLatest, rotateLatest, rotateLatest, rotateWithFilename],
    oldToken("rotate with a stale token", 1),
    oldToken("rotate with a token two rotations old", 2),
  ],
};

const correct: readonly [Action, ...Action[]] = [
  create,
  ...operationIds.flatMap((operation) => correctOf[operation]),
];

const titleOfUnknownToken = "unknown token of the service's form";

/** Mistakes that programs make often: something is left out, too long, of another system, or not in the interface. */
const usualMistakes: readonly [Action, ...Action[]] = [
  newWith("create without a name", (walk) => ({ properties: walk.newProperties() })),
  ["no id", (walk) => walk.client.send({ name: walk.newName(), properties: walk.newProperties() })],
  withId("number as id", (walk) => walk.client.groups.newNumber()),
  [
    "id in capitals",
    about((walk, { id, name }) => walk.client.send({ user_group_id: id.toUpperCase(), name })),
  ],
  ["id with a space", about((walk, { id, name }) => walk.client.send({ user_group_id: `${id} `, name }))],
  withWrong("long name", (walk) => ({ name: longText(walk, walk.newName()) })),
  withWrong("null as name", () => ({ name: null, properties: { region: "EU" } })),
  withWrong("null as mapping", () => ({ mapping: null })),
  withWrong("number in a mapping", () => ({ mapping: { "40": 7 } })),
  withWrong("unknown field", () => ({ color: "red" })),
  withToken("no current_token", () => ({})),
  withToken(titleOfUnknownToken, (walk) => ({ current_token: neverIssuedToken(walk) })),
  [
    "rotate a token of the other team",
    about((walk, group) => {
      const options = ofSecondTeam(walk);
      return options && walk.rotate(group, group.tokens.at(-1), {}, options);
    }),
  ],
];

/**
 * Other mistakes. Never an empty id, null, a list or an object as id: a service may take it for somebody's group.
 * Never a wrong API token a second time: the account may be locked.
 */
const rareMistakes: readonly Action[] = [
  withWrong("list as name", () => ({ name: ["a", "b"] })),
  withWrong("object as name", () => ({ name: { first: "a" } })),
  withWrong("number as name", () => ({ name: 12.5 })),
  withWrong("empty name", () => ({ name: "", properties: { region: "EU" } })),
  withWrong("blank name", () => ({ name: "\t " })),
  withWrong("list as mapping", () => ({ mapping: [] })),
  withWrong("text as mapping", () => ({ mapping: "40=213" })),
  withWrong("object in a mapping", () => ({ mapping: { "40": { table: "a" } } })),
  withWrong("list as properties", () => ({ properties: ["a"] })),
  withWrong("text as properties", () => ({ properties: "a" })),
  withWrong("null as properties", () => ({ properties: null })),
  newWith("unknown field and no name", () => ({ title: "A" })),
  ["no id and a number as name", (walk) => walk.client.send({ name: 5, mapping: [] }, twoMistakes)],
  withId("long id", (walk) => longText(walk, `${walk.client.groups.newId()}-`)),
  withToken("empty current_token", () => ({ current_token: "" })),
  withToken("token of another form", () => ({ current_token: "undefined" })),
  withToken("null as current_token", () => ({ current_token: null })),
  withToken("number as current_token", () => ({ current_token: 42 })),
  withToken("no current_token", () => ({ token: "a" })),
  withToken("id instead of a token", (walk) => ({
    user_group_id: walk.someGroup()?.id,
    name: walk.newName(),
  })),
  withToken(titleOfUnknownToken, (walk) => ({
    current_token: neverIssuedToken(walk),
    filename: "intro.mov",
  })),
  ["number as filename", about((walk, group) => walk.rotate(group, group.tokens.at(-1), { filename: 7 }))],
  [
    "unknown field in a rotation",
    about((walk, group) => walk.rotate(group, group.tokens.at(-1), { reason: "leaked" })),
  ],
  [
    "list as body",
    ({ client }) => client.send(JSON.stringify([{ user_group_id: client.groups.newId(), name: "A" }])),
  ],
  ["invalid JSON", ({ client }) => client.send(`{'user_group_id': '${client.groups.newId()}'}`)],
  ["empty body", (walk) => walk.client.send(undefined, { method: operations.rotate.method })],
  lookUpAs("text/plain", { contentType: "text/plain; charset=utf-8" }),
  lookUpAs("body without Content-Type", { contentType: null }),
  lookUpAs("another path", { path: "/api/users" }),
  lookUpAs("trailing slash", { path: `${servicePath}/` }),
  lookUpAs(unusedMethod, { method: unusedMethod }),
  lookUpAs("no API token", { apiToken: null }),
];

const mistake: readonly [Action, ...Action[]] = [...usualMistakes, ...usualMistakes, ...rareMistakes];

export const actions = { correct, mistake };
export type ActionKind = keyof typeof actions;
