import { isDeepStrictEqual } from "node:util";
import type { SituationId } from "../../../fake/contract/situations.js";
import { fieldOf, isObject, type JsonObject } from "../../../foundation/json.js";
import { type Exchange, groupIn, isNewGroup, sentField } from "../service/exchanges.js";
import { NotAsked } from "../service/not-asked.js";
import {
  both,
  type Fields,
  isFixed,
  ofGroup,
  ofNewGroup,
  type Question,
  rotation,
  unlessConflict,
} from "./question.js";
import type { Read, VerifyRun } from "./run.js";

// How a success is read, as a word of its row.

const shownName = ({ received }: Exchange) => groupIn(received).name;

const isNoName = (name: unknown) => name === "" || name === null;

const nullName: Read = (exchange) => (isNoName(shownName(exchange)) ? "empty" : "accepted");

const emptyName: Read = (exchange) => (isNoName(shownName(exchange)) ? "accepted" : "ignored");

const convertedName: Read = (exchange) => (typeof shownName(exchange) === "string" ? "accepted" : "as sent");

const structuredName: Read = (exchange) => {
  const name = shownName(exchange);
  const sent = sentField(exchange.sent, "name");
  if (name === String(sent)) return "as text";
  if (name === sentField(exchange.sent, "user_group_id") || isNoName(name)) return "ignored";
  return "accepted";
};

const trimmedName: Read = (exchange) => {
  const sent = String(sentField(exchange.sent, "name"));
  return shownName(exchange) === sent.trim() ? "trimmed" : "kept";
};

const sameGroup: Read = ({ received }) => (isNewGroup(received) ? "another group" : "same group");

/** A new group's id, as it was sent or in another form. */
function idAsSent(otherForm: string): Read {
  return ({ sent, received }) =>
    groupIn(received).provided_id === sentField(sent, "user_group_id") ? "kept" : otherForm;
}

type Objects = "mapping" | "properties";

const byIndex = (field: Objects): Read => {
  return (exchange, run) => {
    const shown = run.shown(field, exchange);
    return isObject(shown) && shown[0] === "a" ? "by index" : "accepted";
  };
};

const ignoredNote: Read = (exchange, run) => {
  const shown = run.shown("properties", exchange);
  return isObject(shown) && !("note" in shown) ? "ignored" : "accepted";
};

/** A value in a mapping, as it was sent or as a text. @param n its key */
const valueAsText = (n: number): Read => {
  return (exchange, run) => {
    const value = fieldOf(run.shown("mapping", exchange), mappingKey(run, n));
    return typeof value === "string" ? "as text" : "accepted";
  };
};

/** What became of a mapping or properties that differ from those of the group. Not every service shows them. */
function changed(field: Objects, before: (run: VerifyRun) => unknown): Read {
  return (exchange, run) => {
    const now = run.shown(field, exchange);
    const sent = sentField(exchange.sent, field);
    const was = before(run);
    if (now === undefined) return "accepted";
    if (isDeepStrictEqual(now, was)) return "kept";
    if (isDeepStrictEqual(now, sent)) return "replaced";
    return isDeepStrictEqual(now, { ...Object(was), ...Object(sent) }) ? "merged" : "accepted";
  };
}

/** What became of a mapping or properties that were not sent. */
function keptOrRemoved(field: Objects): Read {
  return (exchange, run) => {
    if (!run.isShown(field)) return "accepted";
    return Object.keys(Object(run.shown(field, exchange))).length === 0 ? "removed" : "kept";
  };
}

// What is sent.

/** Keys that are unlikely to stand in a text by chance. A sample may have keys that the service knows. */
function mappingKey({ target: { sample } }: VerifyRun, n: number): string {
  const known = Object.keys(Object(sample?.mapping));
  return known[n % known.length] ?? String(4071 + n);
}

/**
 * Changes mapping, properties or fields that nobody knows, of the group B. If the service rejects another mapping of a
 * group that exists, only a new group shows what is wrong with it.
 */
function changing(change: Fields, read?: Read, field: Objects = "mapping"): Question {
  return {
    ...ofGroup("B", change, read),
    onceMore: { fields: change, read, isOnlyNew: (run) => isFixed(run, field) },
  };
}

const mappingOf = (n: number, value: unknown, read?: Read) =>
  changing((run) => ({ mapping: { [mappingKey(run, n)]: value } }), read);
const mapping = (value: unknown, read?: Read) => changing(() => ({ mapping: value }), read);
const properties = (value: unknown, read?: Read) =>
  changing(() => ({ properties: value }), read, "properties");

/** Two values of properties, each in a request of its own: a service may list all that are wrong. */
function bothValues(one: JsonObject, other: JsonObject): Question {
  const { onceMore } = properties({ ...one, ...other });
  return { ...both(properties(one), properties(other)), ...(onceMore && { onceMore }) };
}

/** A mapping that the service accepts, and that differs from that of its groups. */
function otherMapping({ target: { sample } }: VerifyRun): JsonObject {
  if (sample === undefined) return { 41: "214" };
  const [, ...rest] = Object.entries(Object(sample.mapping));
  if (rest.length === 0) throw new NotAsked("nothing to ask", "--sample with two keys in its mapping");
  return Object.fromEntries(rest);
}

/** A name that is no text, and that no other run sends. */
function randomNumber(): number {
  return 1e8 + Math.floor(Math.random() * 9e8);
}

/** The id of F in another form. Where names must be unique, with another name. */
function otherForm(run: VerifyRun, change: (id: string) => string): JsonObject {
  const isTaken = run.outcome("name of another group") === "rejected";
  const user_group_id = change(String(run.group("F").id));
  return { user_group_id, ...(isTaken && { name: run.groups.newName() }) };
}

/** Asked only if another form of an id names the same group. */
function ifSameGroup(row: SituationId, question: Question): Question {
  return {
    ...question,
    ask: async (run) => {
      if (run.outcome(row) !== "same group")
        throw new NotAsked("nothing to ask", `only if "${row}" is "same group"`);
      return question.ask(run);
    },
  };
}

/** The fields, in the order in which they are asked. */
export const fieldQuestions = {
  "existing group: other name": {
    ask: async (run) => {
      const before = run.group("F").name;
      return run.ask(
        () => run.get({ ...run.bodyOf("F"), name: run.groups.newName() }),
        (exchange) => (shownName(exchange) === before ? "kept" : "replaced"),
      );
    },
  },
  "existing group: other mapping": ofGroup(
    "T3",
    (run) => ({ mapping: otherMapping(run) }),
    changed("mapping", (run) => run.base.mapping),
  ),
  "existing group: other properties": ofGroup(
    "T3",
    () => ({ properties: { plan: "b" } }),
    changed("properties", (run) => run.base.properties),
  ),
  "existing group: mapping missing": ofGroup("T3", () => ({ mapping: undefined }), keptOrRemoved("mapping")),
  "existing group: properties missing": ofGroup(
    "T3",
    () => ({ properties: undefined }),
    keptOrRemoved("properties"),
  ),
  "name of another group": ofNewGroup((run) => ({ name: run.group("T3").name })),
  "existing group: name missing": ofGroup("F", () => ({ name: undefined })),
  "existing group: name null": unlessConflict(ofGroup("F", () => ({ name: null }), nullName)),
  "existing group: name number": unlessConflict(
    ofGroup("F", () => ({ name: randomNumber() }), convertedName),
  ),
  "existing group: name empty": unlessConflict(ofGroup("F", () => ({ name: "" }), emptyName)),
  "name: missing": unlessConflict(ofNewGroup(() => ({ name: undefined }), nullName)),
  "name: null": unlessConflict(ofNewGroup(() => ({ name: null }), nullName)),
  "name: number": ofNewGroup(() => ({ name: randomNumber() }), convertedName),
  "name: boolean": unlessConflict(
    both(
      ofNewGroup(() => ({ name: true }), convertedName),
      ofNewGroup(() => ({ name: false }), convertedName),
    ),
  ),
  "name: list": unlessConflict(
    both(
      ofNewGroup(({ groups }) => ({ name: [groups.newName()] }), structuredName),
      ofNewGroup(() => ({ name: [] }), structuredName),
    ),
  ),
  "name: object": ofNewGroup(({ groups }) => ({ name: { a: groups.newName() } }), structuredName),
  "name: empty": unlessConflict(ofNewGroup(() => ({ name: "" }), emptyName)),
  "name: spaces": ofNewGroup((run) => ({ name: ` ${run.groups.newName()} ` }), trimmedName),

  "mapping: missing": ofNewGroup(() => ({ mapping: undefined })),
  "mapping: null": mapping(null),
  "mapping: text": mapping("text"),
  "mapping: list": mapping(["a", "b"], byIndex("mapping")),
  "mapping: empty list": mapping([]),
  "mapping: empty": mapping({}),
  "mapping key: text": changing(() => ({ mapping: { keytext: "213" } })),
  "mapping key: empty": changing(() => ({ mapping: { "": "213" } })),
  "mapping value: number": mappingOf(0, 213, valueAsText(0)),
  "mapping value: boolean": mappingOf(1, true, valueAsText(1)),
  "mapping value: null": mappingOf(2, null),
  "mapping value: list": mappingOf(3, ["a"]),
  "mapping value: object": mappingOf(4, { a: "b" }),
  "mapping value: empty": mappingOf(5, ""),
  "properties: missing": ofNewGroup(() => ({ properties: undefined })),
  "properties: null": properties(null),
  "properties: text": properties("text"),
  "properties: list": properties(["a", "b"], byIndex("properties")),
  "properties: empty list": properties([]),
  "properties value: number": bothValues({ seats: 5 }, { trial: true }),
  "properties value: null": changing(() => ({ properties: { note: null } }), ignoredNote, "properties"),
  "properties value: object": bothValues({ limits: { a: "b" } }, { tags: ["a"] }),
  "GET: unknown field": changing(() => ({ ugm_unknown: "x" })),

  "filename: null": rotation(() => ({ filename: null })),
  "filename: number": rotation(() => ({ filename: 7 })),
  "POST: unknown field": rotation(() => ({ ugm_unknown: "x" })),

  "user_group_id: number": ofNewGroup(() => ({ user_group_id: 1e14 + Math.floor(Math.random() * 9e14) })),
  "user_group_id: capitals": {
    ...ofGroup("F", (run) => otherForm(run, (id) => id.toUpperCase()), sameGroup),
    leavesGroup: true,
  },
  "user_group_id: spaces": {
    ...ofGroup("F", (run) => otherForm(run, (id) => ` ${id} `), sameGroup),
    leavesGroup: true,
  },
  "new id: capitals": ifSameGroup(
    "user_group_id: capitals",
    ofNewGroup((run) => ({ user_group_id: `${run.groups.newId()}CAPS` }), idAsSent("lower case")),
  ),
  "new id: spaces": ifSameGroup(
    "user_group_id: spaces",
    ofNewGroup((run) => ({ user_group_id: ` ${run.groups.newId()} ` }), idAsSent("trimmed")),
  ),
} as const satisfies { readonly [Id in SituationId]?: Question };
