import { operationOf, operations } from "../../../fake/contract/operations.js";
import {
  contentsQuestion,
  keyCountQuestion,
  lengthQuestion,
  requiredQuestion,
  shortestQuestion,
  wordAsKeyQuestion,
} from "../learn/learn-accepts.js";
import { furtherPart } from "../service/budget.js";
import { isSameResponse, type Recorded, type SentRequest } from "../service/recorded.js";
import type { Answer, Asked, AskOptions, ServiceClient } from "../service/service-client.js";
import { askContents, objectFields } from "./contents.js";
import { askAgain, createFirstGroup, type FirstGroup } from "./first-group.js";
import {
  askFilenameLength,
  askIdLength,
  askKeyCount,
  askNameLength,
  askShortestName,
  askWordAsKey,
} from "./lengths.js";
import { behaviourProbes, teamProbes, wrongApiTokenProbes } from "./probes.js";
import { askRequired, askVariation, variationName, variations } from "./variations.js";

type Question = readonly [name: string, ask: (client: ServiceClient) => Promise<unknown>];

/** What is asked with a valid API token first. */
const firstQuestions: readonly Question[] = [
  ...Object.entries(behaviourProbes),
  [requiredQuestion, askRequired],
  ...Object.entries(teamProbes),
  ...variations.map((one): Question => [variationName(one), (client) => askVariation(client, one)]),
  ...objectFields.map((field): Question => [contentsQuestion(field), (client) => askContents(client, field)]),
];

/** What may take many requests, in case that the budget ends: lengths, and what keys an object may have. */
const limitQuestions: readonly Question[] = [
  [wordAsKeyQuestion, askWordAsKey],
  [shortestQuestion, askShortestName],
  ...objectFields.map((field): Question => [keyCountQuestion(field), (client) => askKeyCount(client, field)]),
  [lengthQuestion("name"), askNameLength],
  [lengthQuestion("user_group_id"), askIdLength],
  [lengthQuestion("filename"), askFilenameLength],
];

/** With a wrong API token. They come last: they may lock the account. */
const lastQuestions: readonly Question[] = Object.entries(wrongApiTokenProbes);

/** The name of the question that creates a group. */
export const firstGroupQuestion = "first group";

/** The first group, and what is asked about it later. */
const firstSteps = 2;

/** How many steps an interview has, for a progress report. */
export const stepCount = firstSteps + firstQuestions.length + limitQuestions.length + lastQuestions.length;

/** Asks a service all questions. What it has learned so far can be read at any time. */
export class Interview {
  readonly client: ServiceClient;
  /** By the name of the question. */
  readonly answers = new Map<string, Answer>();
  #entries: readonly Recorded[] = [];
  readonly #onStep: (question: string) => void;

  constructor(client: ServiceClient, onStep: (question: string) => void) {
    this.client = client;
    this.#onStep = onStep;
  }

  /** The requests from which the profile is learned, in the order in which they were sent. */
  get entries(): readonly Recorded[] {
    return this.#entries;
  }

  /** Undefined if the service has not created a group. The answer has the reason. */
  async askFirstGroup(): Promise<FirstGroup | undefined> {
    const { answer } = await this.#ask(firstGroupQuestion, createFirstGroup);
    const { value: group } = answer;
    if (group === undefined || !group.created.isSuccess) return undefined;
    this.client.first = this.#entries.find(({ response }) => response === group.created);
    return { ...group, later: (await this.#ask("first group, later", askAgain)).answer };
  }

  async askAll(): Promise<void> {
    await this.#askPart(firstQuestions);
    await this.#askPart(limitQuestions);
    this.client.budget.setAside = furtherPart;
    for (const [name, ask] of lastQuestions) {
      const { entries } = await this.#ask(name, ask, { isRepeated: false });
      if (entries.some(isInternalError)) this.#leaveOpen(name);
    }
  }

  async #askPart(questions: readonly Question[]): Promise<void> {
    const doubtful: Question[] = [];
    for (const question of questions) {
      const { entries } = await this.#ask(...question);
      if (entries.some(isInternalError)) doubtful.push(question);
    }
    await this.#askDoubtfulAgain(doubtful);
  }

  async #ask<Value>(
    name: string,
    probe: (client: ServiceClient) => Promise<Value>,
    options?: AskOptions,
  ): Promise<Asked<Value>> {
    this.#onStep(name);
    const asked = await this.client.ask(name, () => probe(this.client), options);
    this.answers.set(name, asked.answer);
    this.#entries = [...this.#entries, ...asked.entries];
    return asked;
  }

  /**
   * A bug of the service responds with a 5xx each time, and to no other request. An outage ends, or rejects all requests.
   * So all questions of a part that met a 5xx are asked again, and then a request has to succeed.
   */
  async #askDoubtfulAgain(doubtful: readonly Question[]): Promise<void> {
    if (doubtful.length === 0) return;
    for (const question of doubtful) await this.#confirm(question);
    const { budget } = this.client;
    const setAside = budget.setAside;
    budget.setAside = furtherPart;
    const { answer } = await this.client.ask("control", () => this.client.lookUp());
    budget.setAside = setAside;
    if (!answer.value?.isSuccess) for (const [name] of doubtful) this.#leaveOpen(name);
  }

  async #confirm([name, ask]: Question): Promise<void> {
    const before = this.#entries.filter(({ probe }) => probe === name);
    if (await this.#areRepeated(before.filter(isInternalError))) return;
    const { entries } = await this.#ask(name, ask);
    // Without a 5xx now, the earlier one was an outage. If the 5xx is the same again, it is kept.
    if (!entries.some(isInternalError)) this.#dropInternalErrors(name);
    else if (!isSameAgain(before, entries)) this.#leaveOpen(name);
  }

  /** Sends the same requests again, which costs less than to ask the whole question. */
  async #areRepeated(entries: readonly Recorded[]): Promise<boolean> {
    // A token may have been rotated meanwhile.
    if (entries.some(({ request }) => isNamedByToken(request))) return false;
    for (const entry of entries) if (!(await this.client.repeats(entry))) return false;
    return true;
  }

  /** A 5xx that the service does not repeat proves nothing. */
  #leaveOpen(name: string): void {
    const doubtful = this.#entries.find((entry) => entry.probe === name && isInternalError(entry));
    if (doubtful === undefined) return;
    const why = `a request returned ${doubtful.response.status}, which was not confirmed`;
    this.answers.set(name, { why, unanswered: true });
    this.#dropInternalErrors(name);
  }

  #dropInternalErrors(name: string): void {
    this.#entries = this.#entries.filter((entry) => entry.probe !== name || !isInternalError(entry));
  }
}

function isInternalError({ response }: Recorded): boolean {
  return response.status >= 500;
}

/** Whether each 5xx is the same as in the first attempt. */
function isSameAgain(before: readonly Recorded[], again: readonly Recorded[]): boolean {
  return again.every((entry, n) => {
    const earlier = before[n];
    return (
      !isInternalError(entry) || (earlier !== undefined && isSameResponse(entry.response, earlier.response))
    );
  });
}

function isNamedByToken({ method }: SentRequest): boolean {
  const operation = operationOf(method);
  return operation !== undefined && operations[operation].namedBy === "current_token";
}
