import type { JsonObject } from "../../../foundation/json.js";
import { fillPlaceholders, sentReplacements } from "../learn/rejection-template.js";
import type { Exchange, Sent } from "../service/exchanges.js";
import { NotAsked } from "../service/not-asked.js";
import type { Read, RunGroupName, Seen, VerifyRun } from "./run.js";

/** How verify finds out what the service does in one situation. */
export interface Question {
  /** Throws NotAsked if it cannot be asked, or if nothing can be learned from the response. */
  readonly ask: (run: VerifyRun) => Promise<Seen>;
  /** If the service accepts the request, another group exists. */
  readonly leavesGroup?: boolean | ((run: VerifyRun) => boolean);
  /** Asked of a group that exists. What it accepted is asked once more of a new one. */
  readonly onceMore?: OnceMore;
}

export interface OnceMore {
  readonly fields: Fields;
  /** How a new group was created with them. */
  readonly read?: Read | undefined;
  /** A group that exists cannot show it: only the new one is asked. */
  readonly isOnlyNew?: (run: VerifyRun) => boolean;
}

/** Fields that differ from those of an ordinary request. Undefined leaves one out. */
export type Fields = (run: VerifyRun) => JsonObject;

/** Creates a group with other fields. Each question has a group of its own: what one does must not show in the next. */
export function ofNewGroup(change: Fields, read?: Read): Question {
  return {
    leavesGroup: true,
    ask: (run) => run.ask(() => run.get({ ...run.newBody(), ...change(run) }), read),
  };
}

/** Looks up a group that exists, with other fields. */
export function ofGroup(name: RunGroupName, change: Fields, read?: Read): Question {
  return { ask: (run) => run.ask(() => run.get({ ...run.bodyOf(name), ...change(run) }), read) };
}

/** Rotates the token of the run's group for rotations, with other fields. */
export function rotation(change: Fields, read?: Read): Question {
  return { ask: (run) => run.ask(() => run.post({ current_token: run.token(), ...change(run) }), read) };
}

/**
 * Where names must be unique, a name that is the same in each run may be that of a group of an earlier one; and where a
 * group keeps its name, any other one is rejected. The response says so, and nothing about the name itself.
 */
export function unlessConflict(question: Question): Question {
  return {
    ...question,
    ask: async (run) => {
      const seen = await question.ask(run);
      const isConflict = seen.outcome === undefined && nameConflicts(run).some((one) => looksLike(seen, one));
      if (isConflict) throw new NotAsked("a conflict of names");
      return seen;
    },
  };
}

/** Whether two responses are the same, apart from what was sent. */
function looksLike(one: Exchange, other: Exchange): boolean {
  const plain = ({ sent, received }: Exchange) =>
    `${received.status} ${fillPlaceholders(received.text, sentReplacements(sent)).replace(/ugm-?[\w-]+|\d+/g, "")}`;
  return plain(one) === plain(other);
}

/** Two values of one kind: accepted only if both are. */
export function both(first: Question, second: Question): Question {
  return {
    ...first,
    ask: async (run) => {
      const seen = await first.ask(run);
      if (seen.outcome === undefined) return seen;
      const other = await second.ask(run);
      return other.outcome === undefined ? other : seen;
    },
  };
}

export function request(make: (run: VerifyRun) => Sent, read?: Read): Question {
  return { ask: (run) => run.ask(() => make(run), read) };
}

/** A request that is never repeated. */
export function requestOnce(make: (run: VerifyRun) => Sent, read?: Read): Question {
  return { ask: (run) => run.ask(() => make(run), read, { isOnce: true }) };
}

export const formType = { "Content-Type": "application/x-www-form-urlencoded" };

/** Texts, as a form or a query has them. */
export function formText(fields: JsonObject): string {
  const texts = Object.entries(fields).filter((one): one is [string, string] => typeof one[1] === "string");
  return new URLSearchParams(texts).toString();
}

/** What can be wrong with a name, of a new group and of one that exists. */
const creationPairs = [
  ["name: empty", "existing group: name empty"],
  ["name: null", "existing group: name null"],
  ["name: number", "existing group: name number"],
  ["name: long", "existing group: name long"],
] as const;

/** Whether the service checks names when it creates a group, and not those of a group that exists. */
export function checksNamesOnCreation(run: VerifyRun): boolean {
  return creationPairs.some(
    ([ofNew, ofExisting]) =>
      run.outcome(ofNew) === "rejected" && run.seen.has(ofExisting) && run.outcome(ofExisting) !== "rejected",
  );
}

/** Whether only a new group shows what is wrong with a name. */
export function needsNewGroup(run: VerifyRun): boolean {
  return run.outcome("existing group: other name") === "rejected" || checksNamesOnCreation(run);
}

/** Whether the service rejects another value of a group that exists. */
export function isFixed(run: VerifyRun, field: "mapping" | "properties"): boolean {
  return run.outcome(`existing group: other ${field}`) === "rejected";
}

/** How the service rejects a name for what other groups, or the group itself, have: it says nothing about the name. */
function nameConflicts(run: VerifyRun): Exchange[] {
  const rows = ["name of another group", "existing group: other name"] as const;
  return rows.flatMap((row) => {
    const seen = run.seen.get(row);
    return seen === undefined || seen.outcome !== undefined ? [] : [seen];
  });
}
