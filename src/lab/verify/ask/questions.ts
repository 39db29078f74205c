import type { SituationId } from "../../../fake/contract/situations.js";
import type { Costs } from "../service/service-client.js";
import { findFirstCharacters } from "./characters.js";
import { fieldQuestions } from "./field-questions.js";
import { groupQuestions } from "./group-questions.js";
import { guardedQuestions } from "./guarded-questions.js";
import { apiTokenQuestions, pathQuestions } from "./head-questions.js";
import { limitQuestions } from "./limit-questions.js";
import { checksNamesOnCreation, type Question, unlessConflict } from "./question.js";
import type { RunGroupName } from "./run.js";

/**
 * Of a group that already has valid values: a new one without a name has broken services for good. If the service rejects
 * an empty name only on creation, nobody knows what it does with a blank one then: it counts as rejected.
 */
const blankName = unlessConflict({
  ask: async (run) => {
    const seen = await run.ask(() => run.get({ ...run.bodyOf("D"), name: "   " }));
    const empty = run.seen.get("name: empty");
    const isDoubtful = seen.outcome !== undefined && checksNamesOnCreation(run);
    return isDoubtful && empty !== undefined && empty.outcome === undefined ? empty : seen;
  },
});

interface Part {
  readonly name: string;
  /** Groups that are created before it. Their creation is the control after the part before. */
  readonly needs: readonly RunGroupName[];
  readonly questions: Readonly<Partial<Record<SituationId, Question>>>;
  /**
   * What is set aside for it, with the groups that it needs and the look-ups between its requests. Most groups of rejected
   * requests are free at once.
   */
  readonly reserve?: Costs;
  /** Its requests are sent once, and not in a light run. */
  readonly isOnce?: true;
}

const asked = {
  groups: { name: "groups and tokens", needs: ["F", "T"], questions: groupQuestions },
  paths: { name: "paths, methods and types", needs: ["T3"], questions: pathQuestions },
  fields: { name: "fields", needs: ["B"], questions: fieldQuestions },
  limits: { name: "lengths and characters", needs: ["D"], questions: limitQuestions },
  doubtful: {
    name: "doubtful values",
    needs: ["L"],
    questions: {
      // Not among the characters: they can use up what a run may send, and ids of databases begin with a digit.
      "user_group_id: first character": { leavesGroup: true, ask: findFirstCharacters },
      "name: blank": blankName,
    },
    reserve: { requests: 6, groups: 2 },
  },
  guarded: {
    name: "requests without a valid token or id",
    needs: ["C"],
    questions: guardedQuestions,
    reserve: { requests: 34, groups: 2 },
    isOnce: true,
  },
  check: { name: "further requests", needs: ["E"], questions: {}, reserve: { requests: 31, groups: 9 } },
  apiTokens: {
    name: "API tokens",
    needs: ["K"],
    questions: apiTokenQuestions,
    reserve: { requests: 7, groups: 2 },
    isOnce: true,
  },
} as const satisfies Readonly<Record<string, Part>>;

export type PartId = keyof typeof asked;

/** What a run consists of, in this order. */
export const parts: Readonly<Record<PartId, Part>> = asked;

export const partIds = Object.keys(parts) as readonly PartId[];

/** What is set aside during a part, for those after it. */
export function reserveAfter(id: PartId): Costs {
  const later = partIds.slice(partIds.indexOf(id) + 1).map((one) => parts[one].reserve);
  const sum = (name: keyof Costs) => later.reduce((total, costs) => total + (costs?.[name] ?? 0), 0);
  return { requests: sum("requests"), groups: sum("groups") };
}

export function questionsOf(id: PartId): [SituationId, Question][] {
  return Object.entries(parts[id].questions) as [SituationId, Question][];
}

type Asked = { readonly [P in PartId]: keyof (typeof asked)[P]["questions"] }[PartId];

/** Situations that no request asks about, with the reason. The compiler names one that has neither this nor a question. */
const neverAsked: Readonly<Record<Exclude<SituationId, Asked>, string>> = {
  "every response": "learned from all responses",
  "too large": "verify sends no large bodies",
  "user_group_id: other type": "a service may take it for somebody's group",
  "user_group_id: unstorable": "it may break what others read",
  "mapping: other type": "as a text",
  "properties: other type": "as a text",
  "filename: other type": "as a number",
};

/** Every situation: its question, or why there is none. */
export const questions = {
  ...asked.groups.questions,
  ...asked.paths.questions,
  ...asked.fields.questions,
  ...asked.limits.questions,
  ...asked.doubtful.questions,
  ...asked.guarded.questions,
  ...asked.apiTokens.questions,
  ...neverAsked,
} as const satisfies Readonly<Record<SituationId, Question | string>>;

export function hasQuestion(row: SituationId): boolean {
  return typeof questions[row] !== "string";
}

/** Whether a new group is asked too. */
export function isAskedOnceMore(row: SituationId): boolean {
  const question: Question | string = questions[row];
  return typeof question !== "string" && question.onceMore !== undefined;
}
