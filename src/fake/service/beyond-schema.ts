import { counted } from "../../foundation/grammar.js";
import { isObject, type JsonObject, pointerTo } from "../../foundation/json.js";
import type { Operation, Problem } from "../../generated/types.js";
import type { BeyondId, SituationId } from "../contract/situations.js";
import type { Behaviour } from "./behaviour.js";

interface BeyondTest {
  readonly operation: Operation;
  /** Whether it is about groups that exist, or about those that do not. By default about both. */
  readonly ofExisting?: boolean;
  /** What is wrong with the body, if it meets the situation. */
  readonly findProblem: (body: JsonObject, behaviour: Behaviour) => Problem | undefined;
}

/** How the mock sees that a body meets each of them. */
export const beyondTests: Readonly<Record<BeyondId, BeyondTest>> = {
  "user_group_id: long": ofText("user_group_id", tooLong("user_group_id: long")),
  "user_group_id: short": ofText("user_group_id", tooShort("user_group_id: short")),
  "user_group_id: characters": ofText("user_group_id", wrongCharacter("user_group_id: characters")),
  "user_group_id: first character": ofText("user_group_id", (id, behaviour) => {
    const wrong = behaviour.limit("user_group_id: first character").wrongCharacter([...id][0] ?? "");
    return wrong && `must not begin with ${JSON.stringify(wrong)}`;
  }),
  "name: blank": ofText("name", blank),
  "name: long": { ...ofText("name", tooLong("name: long")), ofExisting: false },
  "name: short": ofText("name", tooShort("name: short")),
  "name: characters": ofText("name", wrongCharacter("name: characters")),
  "existing group: name missing": { ...ofMissing("name"), ofExisting: true },
  "existing group: name long": { ...ofText("name", tooLong("existing group: name long")), ofExisting: true },
  "mapping: missing": { ...ofMissing("mapping"), ofExisting: false },
  "existing group: mapping missing": { ...ofMissing("mapping"), ofExisting: true },
  "mapping: empty": ofMapping((mapping) => {
    return Object.keys(mapping).length === 0 ? { path: "", message: "must not be empty" } : undefined;
  }),
  "mapping key: text": ofMapping((mapping) => {
    const key = Object.keys(mapping).find((one) => !/^\d+$/.test(one));
    return key === undefined ? undefined : { path: pointerTo(key), message: "must have a number as its key" };
  }),
  "mapping value: empty": ofMapping((mapping) => {
    const key = Object.keys(mapping).find((one) => mapping[one] === "");
    return key === undefined ? undefined : { path: pointerTo(key), message: "must not be empty" };
  }),
  "properties: missing": { ...ofMissing("properties"), ofExisting: false },
  "existing group: properties missing": { ...ofMissing("properties"), ofExisting: true },
  "properties value: number": ofValue((value) => typeof value === "number" || typeof value === "boolean"),
  "properties value: null": ofValue((value) => value === null),
  "properties value: object": ofValue((value) => typeof value === "object" && value !== null),
  "filename: sent": {
    operation: "rotate",
    findProblem: ({ filename }) =>
      filename === undefined ? undefined : { path: "/filename", message: "is not accepted" },
  },
};

/** Where the service trims a text, the other rules are about what is left. */
const trimming = {
  user_group_id: "new id: spaces",
  name: "name: spaces",
} as const satisfies Record<string, SituationId>;

/** @param problemWith says what is wrong with the text of the field */
function ofText(
  field: keyof typeof trimming,
  problemWith: (text: string, behaviour: Behaviour) => string | undefined,
): BeyondTest {
  return {
    operation: "get-or-create",
    findProblem: (body, behaviour) => {
      const sent = textIn(body, field, behaviour);
      if (sent === undefined) return undefined;
      const isTrimmed = behaviour.outcome(trimming[field]) === "trimmed" && sent.trim() !== "";
      const message = problemWith(isTrimmed ? sent.trim() : sent, behaviour);
      return message === undefined ? undefined : { path: `/${field}`, message };
    },
  };
}

/** The text of a field; of a number that is kept as text, too. */
function textIn(body: JsonObject, field: keyof typeof trimming, behaviour: Behaviour): string | undefined {
  const sent = body[field];
  if (typeof sent === "number" && behaviour.outcome(`${field}: number`) === "accepted") return String(sent);
  return typeof sent === "string" ? sent : undefined;
}

function blank(text: string): string | undefined {
  return text !== "" && text.trim() === "" ? "must not be blank" : undefined;
}

function tooLong(id: BeyondId) {
  return (text: string, behaviour: Behaviour) => {
    const { length } = behaviour.limit(id);
    // The number of characters is at most that of UTF-16 units.
    const isLong = text.length > length && [...text].length > length;
    return isLong ? `must have at most ${counted(length, "character")}` : undefined;
  };
}

function tooShort(id: BeyondId) {
  return (text: string, behaviour: Behaviour) => {
    const { length } = behaviour.limit(id);
    const isShort = text !== "" && [...text.slice(0, 2 * length)].length < length;
    return isShort ? `must have at least ${counted(length, "character")}` : undefined;
  };
}

function wrongCharacter(id: BeyondId) {
  return (text: string, behaviour: Behaviour) => {
    const wrong = behaviour.limit(id).wrongCharacter(text);
    if (wrong === undefined) return undefined;
    return `must not have ${JSON.stringify(wrong)} in it; if the service accepts it, add it to characters of "${id}" in the profile`;
  };
}

function ofMissing(field: "name" | "mapping" | "properties"): BeyondTest {
  return {
    operation: "get-or-create",
    findProblem: (body) =>
      body[field] === undefined ? { path: `/${field}`, message: "is required" } : undefined,
  };
}

/** @param findProblem with a path below mapping */
function ofMapping(findProblem: (mapping: JsonObject) => Problem | undefined): BeyondTest {
  return {
    operation: "get-or-create",
    findProblem: ({ mapping }) => {
      const problem = isObject(mapping) ? findProblem(mapping) : undefined;
      return problem && { path: `/mapping${problem.path}`, message: problem.message };
    },
  };
}

/** @param isWrong whether this is the kind of value that the situation is about */
function ofValue(isWrong: (value: unknown) => boolean): BeyondTest {
  return {
    operation: "get-or-create",
    findProblem: ({ properties }) => {
      const key = isObject(properties)
        ? Object.keys(properties).find((one) => isWrong(properties[one]))
        : undefined;
      return key === undefined
        ? undefined
        : { path: `/properties${pointerTo(key)}`, message: "is not accepted" };
    },
  };
}
