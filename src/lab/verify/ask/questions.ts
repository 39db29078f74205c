import type { Answer } from "../service/service-client.js";
import {
  type AskQuestion,
  behaviourQuestions,
  fixedQuestions,
  headQuestions,
  responseQuestions,
} from "./behaviour-questions.js";
import { askContents } from "./contents.js";
import { askAgain, createFirstGroup } from "./first-group.js";
import { askIdCharacters } from "./id-characters.js";
import {
  askFilenameLength,
  askIdLength,
  askKeyCount,
  askNameLength,
  askShortestName,
  askWordAsKey,
} from "./lengths.js";
import { askRequired } from "./required-fields.js";
import { teamQuestions } from "./team-questions.js";
import { askVariation, type VariationId, variationName, variations } from "./variations.js";
import { wrongApiTokenQuestions } from "./wrong-api-tokens.js";

/** Questions about the first group, of which the second needs the answer of the first one. */
const firstQuestions = {
  "first group": createFirstGroup,
  "first group, later": askAgain,
};

const requiredQuestion = { "fields that are required": askRequired };

const contentsQuestions = {
  "mapping: values": (client) => askContents(client, "mapping"),
  "properties: values": (client) => askContents(client, "properties"),
} satisfies Readonly<Record<string, AskQuestion>>;

/**
 * Lengths, characters of an id, and what keys an object may have. Each may take many requests, so they come late: the
 * budget may end here. What ordinary requests are more likely to meet comes first, what no profile can have last.
 */
const limitQuestions = {
  "user_group_id: characters": askIdCharacters,
  "mapping: a word as key": askWordAsKey,
  "name: short": askShortestName,
  "mapping: many keys": (client) => askKeyCount(client, "mapping"),
  "properties: many keys": (client) => askKeyCount(client, "properties"),
  "name: long": askNameLength,
  "user_group_id: long": askIdLength,
  "filename: long": askFilenameLength,
  ...fixedQuestions,
} satisfies Readonly<Record<string, AskQuestion>>;

export type Question = readonly [name: string, ask: AskQuestion];

/** All questions but those about the first group, in their order. */
export const questions = {
  plain: [
    ...Object.entries<AskQuestion>({
      ...behaviourQuestions,
      ...responseQuestions,
      ...headQuestions,
      ...requiredQuestion,
      ...teamQuestions,
    }),
    ...variations.map((one): Question => [variationName(one), (client) => askVariation(client, one)]),
    ...Object.entries<AskQuestion>(contentsQuestions),
  ],
  limits: Object.entries<AskQuestion>(limitQuestions),
  wrongApiTokens: Object.entries<AskQuestion>(wrongApiTokenQuestions),
} as const satisfies Readonly<Record<string, readonly Question[]>>;

/** How many questions there are, for a progress report. */
export const questionCount =
  Object.keys(firstQuestions).length + Object.values(questions).reduce((sum, part) => sum + part.length, 0);

/** All questions but the variations, by their names. */
type NamedQuestions = typeof firstQuestions &
  typeof behaviourQuestions &
  typeof responseQuestions &
  typeof headQuestions &
  typeof teamQuestions &
  typeof requiredQuestion &
  typeof contentsQuestions &
  typeof limitQuestions &
  typeof wrongApiTokenQuestions;

type QuestionName = keyof NamedQuestions;
type AnswerValue<Name extends QuestionName> = Awaited<ReturnType<NamedQuestions[Name]>>;

/** The answers of a run, by their questions. A question that was not asked has none. */
export class Answers {
  readonly #answers: Map<string, Answer>;

  constructor(answers: Iterable<readonly [name: string, answer: Answer]> = []) {
    this.#answers = new Map(answers);
  }

  get<Name extends QuestionName>(name: Name): Answer<AnswerValue<Name>> | undefined {
    // The question of this name has returned it.
    return this.#answers.get(name) as Answer<AnswerValue<Name>> | undefined;
  }

  ofVariation(variation: VariationId): Answer<boolean> | undefined {
    // `askVariation` has returned it.
    return this.#answers.get(variationName(variation)) as Answer<boolean> | undefined;
  }

  set(name: string, answer: Answer): void {
    this.#answers.set(name, answer);
  }

  /** The questions that got no usable response. */
  get unanswered(): string[] {
    return [...this.#answers].flatMap(([name, { unanswered }]) => (unanswered ? name : []));
  }
}
