import { randomBytes } from "node:crypto";
import { operationIds, operations, servicePath } from "../../../fake/contract/operations.js";
import type { JsonObject } from "../../../foundation/json.js";
import type { Operation } from "../../../generated/types.js";
import type { RequestOptions } from "../service/service-client.js";
import { unusedMethod } from "../service/unused-method.js";
import type { Walk, WalkedGroup } from "./further-walk.js";

/** Sends one request. Undefined if it is not possible now, such as an old token without a rotation. */
type Send = (walk: Walk) => Promise<unknown> | undefined;

/** What a program might send. Two actions may have the same title: they are the same mistake in another request. */
export type Action = readonly [title: string, send: Send];

/** A request about a group, if there is one. */
function aboutGroup(send: (walk: Walk, group: WalkedGroup) => Promise<unknown> | undefined): Send {
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
  aboutGroup((walk, group) => {
    return walk.canCreate ? walk.create({ name: group.name, properties: walk.newProperties() }) : undefined;
  }),
];

const createInSecondTeam: Action = [
  "create in the second team",
  (walk) => {
    const options = secondTeamOf(walk);
    if (options === undefined || !walk.canCreate) return undefined;
    return walk.client.send({ user_group_id: walk.client.groups.newId(), name: walk.newName() }, options);
  },
];

function secondTeamOf({ client }: Walk): RequestOptions | undefined {
  const { secondApiToken } = client.target;
  return client.hasSecondTeam && secondApiToken !== undefined ? { apiToken: secondApiToken } : undefined;
}

const lookUpById: Action = ["look up by id alone", aboutGroup((walk, group) => walk.lookUp(group, {}))];

const lookUpWithAll: Action = [
  "look up with everything",
  aboutGroup((walk, group) => {
    const { name, mapping, properties } = group;
    return walk.lookUp(group, { name, mapping, properties });
  }),
];

const lookUpByName: Action = [
  "look up with id and name",
  aboutGroup((walk, group) => walk.lookUp(group, { name: group.name })),
];

const rename: Action = [
  "look up with another name",
  aboutGroup((walk, group) => {
    const { mapping, properties } = walk.draw.isOneIn(2) ? group : {};
    return walk.lookUp(group, { name: walk.newName(), mapping, properties });
  }),
];

const remap: Action = [
  "look up with another mapping",
  aboutGroup((walk, group) => {
    const { name, properties } = walk.draw.isOneIn(2) ? group : {};
    return walk.lookUp(group, { name, mapping: walk.newMapping(), properties });
  }),
];

const otherProperties: Action = [
  "look up with other properties",
  aboutGroup((walk, group) => {
    const { name } = walk.draw.isOneIn(2) ? group : {};
    return walk.lookUp(group, { name, properties: walk.newProperties() });
  }),
];

const rotateLatest: Action = ["rotate", rotateWith(() => ({}))];

const rotateWithFilename: Action = [
  "rotate with filename",
  rotateWith((walk) => ({ filename: walk.draw.one(["intro.mov", "a b.mp4"]) })),
];

/** A rotation of the latest token of a group, with further fields. */
function rotateWith(more: (walk: Walk) => JsonObject): Send {
  return aboutGroup((walk, group) => walk.rotate(group, group.tokens.at(-1), more(walk)));
}

/** A rotation with a token that so many rotations have replaced. */
function rotateOldToken(age: number): Send {
  return (walk) => {
    const group = walk.groups.find(({ tokens }) => tokens.length > age);
    return group && walk.rotate(group, group.tokens.at(-1 - age));
  };
}

/** A wrong get-or-create: usually for a new group, for which a program sends a name, and sometimes for one that exists. */
function wrongFields(fields: (walk: Walk) => JsonObject): Send {
  return (walk) => {
    const wrong = fields(walk);
    const group = walk.someGroup();
    const isNew = walk.canCreate && !walk.draw.isOneIn(4);
    if (isNew) return walk.createOnce({ name: walk.newName(), ...wrong });
    return group && walk.lookUpOnce(group, { name: group.name, ...wrong });
  };
}

/** A get-or-create for a new group, with these fields only. */
function wrongNewGroup(fields: (walk: Walk) => JsonObject): Send {
  return (walk) => (walk.canCreate ? walk.createOnce(fields(walk)) : undefined);
}

/** A get-or-create with an unusual id. */
function unusualId(id: (walk: Walk) => unknown): Send {
  return (walk) => walk.client.send({ user_group_id: id(walk), name: walk.newName() });
}

/** A get-or-create with an id that differs a little from that of a group. */
function similarId(change: (id: string) => string): Send {
  return aboutGroup((walk, { id, name }) => walk.client.send({ user_group_id: change(id), name }));
}

/** A get-or-create for a group that exists, in an unusual way. */
function unusualLookUp(options: RequestOptions): Send {
  return aboutGroup((walk, group) => walk.lookUp(group, { name: group.name }, options));
}

/** A rotation that names no group. */
function wrongRotation(body: (walk: Walk) => JsonObject): Send {
  return (walk) => walk.client.send(body(walk), { method: operations.rotate.method });
}

/** A get-or-create for a new group, as a form. */
function sendForm({ client }: Walk): Promise<unknown> {
  const fields = new URLSearchParams({ user_group_id: client.groups.newId(), name: client.groups.newName() });
  return client.send(fields.toString(), { contentType: "application/x-www-form-urlencoded" });
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

/** An action that is drawn more often than others. */
function times(count: number, action: Action): Action[] {
  return Array.from({ length: count }, () => action);
}

/** What a program sends that makes no mistake; a token may be old. */
const correctOf: Readonly<Record<Operation, readonly Action[]>> = {
  "get-or-create": [
    ...times(2, create),
    ...times(2, lookUpById),
    ...times(2, lookUpWithAll),
    ...[lookUpByName, rename, remap, otherProperties, createWithUsedName, createInSecondTeam],
  ],
  rotate: [
    ...times(3, rotateLatest),
    rotateWithFilename,
    ["rotate with a stale token", rotateOldToken(1)],
    ["rotate with a token two rotations old", rotateOldToken(2)],
  ],
};

/** Mistakes that programs make often: something is left out, too long, of another system, or not in the interface. */
const usualMistakes: readonly Action[] = [
  ["create without a name", wrongNewGroup((walk) => ({ properties: walk.newProperties() }))],
  ["no id", (walk) => walk.client.send({ name: walk.newName(), properties: walk.newProperties() })],
  ["number as id", unusualId((walk) => walk.client.groups.newNumber())],
  ["id in capitals", similarId((id) => id.toUpperCase())],
  ["id with a space", similarId((id) => `${id} `)],
  ["long name", wrongFields((walk) => ({ name: longText(walk, walk.newName()) }))],
  ["null as mapping", wrongFields(() => ({ mapping: null }))],
  ["number in a mapping", wrongFields(() => ({ mapping: { "40": 7 } }))],
  ["unknown field", wrongFields(() => ({ color: "red" }))],
  ["no current_token", wrongRotation(() => ({}))],
  [
    "unknown token of the service's form",
    wrongRotation((walk) => ({ current_token: neverIssuedToken(walk) })),
  ],
  [
    "rotate a token of the other team",
    aboutGroup((walk, group) => {
      const options = secondTeamOf(walk);
      return options && walk.rotate(group, group.tokens.at(-1), {}, options);
    }),
  ],
];

/**
 * Other mistakes. Never an empty id, null, a list or an object as id: a service may take it for somebody's group. Never a
 * wrong API token, after which the account may be locked; without one, there is no account.
 */
const rareMistakes: readonly Action[] = [
  ["null as name", wrongFields(() => ({ name: null, properties: { region: "EU" } }))],
  ["empty name", wrongFields(() => ({ name: "", properties: { region: "EU" } }))],
  ["blank name", wrongFields(() => ({ name: "\t " }))],
  ["object in a mapping", wrongFields(() => ({ mapping: { "40": { table: "a" } } }))],
  ["null as properties", wrongFields(() => ({ properties: null }))],
  ["unknown field and no name", wrongNewGroup(() => ({ title: "A" }))],
  [
    "no id and a list as mapping",
    (walk) => walk.client.send({ name: walk.newName(), mapping: [] }, { hasSeveralMistakes: true }),
  ],
  ["long id", unusualId((walk) => longText(walk, `${walk.client.groups.newId()}-`))],
  ["empty current_token", wrongRotation(() => ({ current_token: "" }))],
  ["token of another form", wrongRotation(() => ({ current_token: "undefined" }))],
  ["null as current_token", wrongRotation(() => ({ current_token: null }))],
  ["number as current_token", wrongRotation(() => ({ current_token: 42 }))],
  ["no current_token", wrongRotation(() => ({ token: "a" }))],
  [
    "id instead of a token",
    wrongRotation((walk) => ({ user_group_id: walk.someGroup()?.id, name: walk.newName() })),
  ],
  [
    "unknown token of the service's form",
    wrongRotation((walk) => ({ current_token: neverIssuedToken(walk), filename: "intro.mov" })),
  ],
  ["number as filename", rotateWith(() => ({ filename: 7 }))],
  ["unknown field in a rotation", rotateWith(() => ({ reason: "leaked" }))],
  [
    "list as body",
    ({ client }) => client.send(JSON.stringify([{ user_group_id: client.groups.newId(), name: "A" }])),
  ],
  ["invalid JSON", ({ client }) => client.send(`{'user_group_id': '${client.groups.newId()}'}`)],
  [
    "empty body",
    ({ client, draw }) => client.send(undefined, { method: operations[draw.one(operationIds)].method }),
  ],
  ["form", (walk) => (walk.canCreate ? sendForm(walk) : undefined)],
  ["text/plain", unusualLookUp({ contentType: "text/plain; charset=utf-8" })],
  ["body without Content-Type", unusualLookUp({ contentType: null })],
  // No word: behind another path of the service, there may be data of others.
  ["another path", unusualLookUp({ path: "/api/user-group-of-verify" })],
  ["trailing slash", unusualLookUp({ path: `${servicePath}/` })],
  [unusedMethod, unusualLookUp({ method: unusedMethod })],
  ["no API token", unusualLookUp({ apiToken: null })],
];

/** Fields of another type. Each is drawn least often. */
const fieldsOfOtherTypes: readonly Action[] = [
  ["list as name", wrongFields(() => ({ name: ["a", "b"] }))],
  ["object as name", wrongFields(() => ({ name: { first: "a" } }))],
  ["number as name", wrongFields(() => ({ name: 12.5 }))],
  ["list as mapping", wrongFields(() => ({ mapping: [] }))],
  ["text as mapping", wrongFields(() => ({ mapping: "40=213" }))],
  ["list as properties", wrongFields(() => ({ properties: ["a"] }))],
  ["text as properties", wrongFields(() => ({ properties: "a" }))],
];

/**
 * How often each is drawn was chosen so that the further requests say the same of a service as longer random walks that
 * somebody else has written: test/stacks/services/measure.mjs compares both.
 */
const mistake = [
  ...usualMistakes.flatMap((one) => times(15, one)),
  ...rareMistakes.flatMap((one) => times(3, one)),
  ...fieldsOfOtherTypes,
];

export const actions = {
  correct: operationIds.flatMap((operation) => correctOf[operation]),
  mistake,
};
export type ActionKind = keyof typeof actions;
