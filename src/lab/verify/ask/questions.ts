import type { SituationId } from "../../../fake/contract/situations.js";
import { NotAsked } from "../service/not-asked.js";
import { apiTokenQuestions } from "./api-token-questions.js";
import { fieldQuestions, limitQuestions } from "./field-questions.js";
import { groupQuestions } from "./group-questions.js";
import { guardedQuestions } from "./guarded-questions.js";
import { checksNamesOnCreation } from "./name-checks.js";
import { pathQuestions } from "./path-questions.js";
import { ofGroup, type Question, unlessConflict } from "./question.js";
import type { RunGroupName, Seen, VerifyRun } from "./run.js";

/**
 * If the service rejects an empty name only on creation, nobody knows what it does with a blank one then: it counts as
 * rejected.
 */
async function blankNameOfNew(run: VerifyRun): Promise<Seen> {
  const existing = run.seen.get("existing group: name blank");
  const empty = run.seen.get("name: empty");
  if (existing === undefined)
    throw run.notAsked.get("existing group: name blank") ?? new NotAsked("a blank name was not asked");
  const isDoubtful = existing.outcome !== undefined && checksNamesOnCreation(run);
  return isDoubtful && empty !== undefined && empty.outcome === undefined ? empty : existing;
}

/** Of a group that already has valid values: a new one without a name has broken services for good. */
const doubtfulQuestions = {
  "existing group: name blank": unlessConflict(ofGroup("D", () => ({ name: "   " }))),
  "name: blank": { ask: blankNameOfNew },
} as const satisfies { readonly [Id in SituationId]?: Question };

interface Part {
  readonly name: string;
  /** Groups that are created before it. Their creation is the control after the part before. */
  readonly needs: readonly RunGroupName[];
  readonly questions: Readonly<Partial<Record<SituationId, Question>>>;
}

/** What is asked, in this order. Between the last two, verify checks what it has learned. */
export const parts = {
  groups: { name: "groups and tokens", needs: ["F", "T"], questions: groupQuestions },
  paths: { name: "paths, methods and types", needs: ["T3"], questions: pathQuestions },
  fields: { name: "fields", needs: ["B"], questions: fieldQuestions },
  limits: { name: "lengths and characters", needs: ["D"], questions: limitQuestions },
  doubtful: { name: "doubtful values", needs: ["L"], questions: doubtfulQuestions },
  guarded: { name: "requests without a valid token or id", needs: ["C"], questions: guardedQuestions },
  apiTokens: { name: "API tokens", needs: ["K"], questions: apiTokenQuestions },
} as const satisfies Readonly<Record<string, Part>>;

export type PartId = keyof typeof parts;

type Parts = typeof parts;
type Asked = { readonly [P in PartId]: keyof Parts[P]["questions"] }[PartId];

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
  ...parts.groups.questions,
  ...parts.paths.questions,
  ...parts.fields.questions,
  ...parts.limits.questions,
  ...parts.doubtful.questions,
  ...parts.guarded.questions,
  ...parts.apiTokens.questions,
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
