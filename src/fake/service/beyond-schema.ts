import { counted } from "../../foundation/grammar.js";
import { isObject, type JsonObject, pointerTo } from "../../foundation/json.js";
import type { Operation, Problem } from "../../generated/types.js";
import { characterFinder } from "../contract/profile.js";
import { type BeyondId, beyondIds, defaultOutcome, type SituationId } from "../contract/situations.js";

/** What the service does, as far as it makes rules. */
interface Rules {
  outcome(id: SituationId): string;
  /** The most or fewest characters that are accepted. */
  length(id: SituationId): number;
  /** Those that are accepted. */
  characters(id: SituationId): string;
}

/** Finds what is wrong with a body that meets the situation. */
type FindProblem = (body: JsonObject) => Problem | undefined;

interface BeyondTest {
  readonly operation: Operation;
  /** Whether it is about groups that exist, or about those that do not. By default about both. */
  readonly ofExisting?: boolean;
  /** Prepared once for what the service does: most requests meet none of these situations. */
  readonly finder: (rules: Rules) => FindProblem;
}

/** How the mock sees that a body meets each of them. */
const beyondTests: Readonly<Record<BeyondId, BeyondTest>> = {
  "user_group_id: long": ofText("user_group_id", tooLong("user_group_id: long")),
  "user_group_id: short": ofText("user_group_id", tooShort("user_group_id: short")),
  "user_group_id: characters": ofText("user_group_id", wrongCharacter("user_group_id: characters")),
  "user_group_id: first character": ofText("user_group_id", (rules) => {
    const findWrong = characterFinder(rules.characters("user_group_id: first character"));
    return (id) => {
      const wrong = findWrong([...id][0] ?? "");
      return wrong && `must not begin with ${JSON.stringify(wrong)}`;
    };
  }),
  "name: blank": ofText("name", () => blank),
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
    const key = Object.keys(mapping).find((one) => one !== "" && !/^\d+$/.test(one));
    return key === undefined ? undefined : { path: pointerTo(key), message: "must have a number as its key" };
  }),
  "mapping key: empty": ofMapping((mapping) => {
    return Object.hasOwn(mapping, "")
      ? { path: pointerTo(""), message: "must not have an empty key" }
      : undefined;
  }),
  "mapping value: empty": ofMapping((mapping) => {
    const key = Object.keys(mapping).find((one) => mapping[one] === "");
    return key === undefined ? undefined : { path: pointerTo(key), message: "must not be empty" };
  }),
  "mapping value: long": {
    operation: "get-or-create",
    finder: (rules) => {
      const findWrong = tooLong("mapping value: long")(rules);
      return findInMapping((mapping) => {
        for (const [key, value] of Object.entries(mapping)) {
          const message = typeof value === "string" ? findWrong(value) : undefined;
          if (message !== undefined) return { path: pointerTo(key), message };
        }
        return undefined;
      });
    },
  },
  "properties: missing": { ...ofMissing("properties"), ofExisting: false },
  "existing group: properties missing": { ...ofMissing("properties"), ofExisting: true },
  "properties value: number": ofValue((value) => typeof value === "number" || typeof value === "boolean"),
  "properties value: null": ofValue((value) => value === null),
  "properties value: object": ofValue((value) => typeof value === "object" && value !== null),
  "filename: sent": {
    operation: "rotate",
    finder: () => findFilename,
  },
};

/** A situation that is looked for, because the service does not do there what it does by default. */
export interface BeyondCheck extends Pick<BeyondTest, "operation" | "ofExisting"> {
  readonly situation: BeyondId;
  readonly findProblem: FindProblem;
}

/** The checks of what a service does. */
export function beyondChecks(rules: Rules): readonly BeyondCheck[] {
  return beyondIds
    .filter((id) => rules.outcome(id) !== defaultOutcome(id))
    .map((situation) => {
      const { finder, ...test } = beyondTests[situation];
      return { situation, ...test, findProblem: finder(rules) };
    });
}

/** Where the service trims a text, the other rules are about what is left. */
const trimming = {
  user_group_id: "new id: spaces",
  name: "name: spaces",
} as const satisfies Record<string, SituationId>;

/** Says what is wrong with a text. */
type FindWrong = (text: string) => string | undefined;

function ofText(field: keyof typeof trimming, finderFor: (rules: Rules) => FindWrong): BeyondTest {
  return {
    operation: "get-or-create",
    finder: (rules) => {
      const findWrong = finderFor(rules);
      const isTrimmed = rules.outcome(trimming[field]) === "trimmed";
      // A number that is kept as text has the rules of a text.
      const hasNumbers = rules.outcome(`${field}: number`) === "accepted";
      return ({ [field]: sent }) => {
        const text = hasNumbers && typeof sent === "number" ? String(sent) : sent;
        if (typeof text !== "string") return undefined;
        const message = findWrong(isTrimmed ? text.trim() || text : text);
        return message === undefined ? undefined : { path: `/${field}`, message };
      };
    },
  };
}

function blank(text: string): string | undefined {
  return text !== "" && text.trim() === "" ? "must not be blank" : undefined;
}

function tooLong(id: BeyondId) {
  return (rules: Rules): FindWrong => {
    const length = rules.length(id);
    return (text) => {
      // The number of characters is at most that of UTF-16 units.
      const isLong = text.length > length && [...text].length > length;
      return isLong ? `must have at most ${counted(length, "character")}` : undefined;
    };
  };
}

function tooShort(id: BeyondId) {
  return (rules: Rules): FindWrong => {
    const length = rules.length(id);
    return (text) => {
      const isShort = text !== "" && [...text.slice(0, 2 * length)].length < length;
      return isShort ? `must have at least ${counted(length, "character")}` : undefined;
    };
  };
}

function wrongCharacter(id: BeyondId) {
  return (rules: Rules): FindWrong => {
    const findWrong = characterFinder(rules.characters(id));
    return (text) => {
      const wrong = findWrong(text);
      if (wrong === undefined) return undefined;
      return `must not have ${JSON.stringify(wrong)} in it; if the service accepts it, add it to characters of "${id}" in the profile`;
    };
  };
}

function findFilename({ filename }: JsonObject): Problem | undefined {
  return filename === undefined ? undefined : { path: "/filename", message: "is not accepted" };
}

function ofMissing(field: "name" | "mapping" | "properties"): BeyondTest {
  const problem = { path: `/${field}`, message: "is required" };
  return {
    operation: "get-or-create",
    finder: () => (body) => (body[field] === undefined ? problem : undefined),
  };
}

function ofMapping(findProblem: FindProblem): BeyondTest {
  const findIn = findInMapping(findProblem);
  return { operation: "get-or-create", finder: () => findIn };
}

/** @param findProblem with a path below mapping */
function findInMapping(findProblem: FindProblem): FindProblem {
  return ({ mapping }) => {
    const problem = isObject(mapping) ? findProblem(mapping) : undefined;
    return problem && { path: `/mapping${problem.path}`, message: problem.message };
  };
}

/** @param isWrong whether this is the kind of value that the situation is about */
function ofValue(isWrong: (value: unknown) => boolean): BeyondTest {
  const findIn: FindProblem = ({ properties }) => {
    const key = isObject(properties)
      ? Object.keys(properties).find((one) => isWrong(properties[one]))
      : undefined;
    return key === undefined
      ? undefined
      : { path: `/properties${pointerTo(key)}`, message: "is not accepted" };
  };
  return { operation: "get-or-create", finder: () => findIn };
}
