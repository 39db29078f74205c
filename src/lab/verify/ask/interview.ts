import { operationOf, operations } from "../../../fake/contract/operations.js";
import type { GroupClient } from "../service/group-client.js";
import { isSameResponse } from "../service/received-response.js";
import type { Recorded } from "../service/recorded.js";
import type { Asked, AskOptions } from "../service/service-client.js";
import type { AskQuestion } from "./behaviour-questions.js";
import { askAgain, type CreatedGroup, createFirstGroup, type FirstGroup } from "./first-group.js";
import { Answers, type Question, questions } from "./questions.js";

/**
 * Asks a service all questions. What it has learned so far can be read at any time.
 *
 * A 5xx can be a bug of the service, which responds so each time and to no other request, or an outage, which proves
 * nothing. So after each part of the questions, those that met a 5xx are confirmed:
 *
 * 1. Each request that got a 5xx is sent again. If the responses are the same, the answer stays.
 * 2. Otherwise the whole question is asked again, and the second answer counts. A 5xx that one of its requests then gets
 *    must be the one that the same request got the first time.
 * 3. Then another request has to succeed: the service is working.
 *
 * What is not confirmed is left open. (Throttled requests, and those without a response, are the matter of the client.)
 */
export class Interview {
  readonly client: GroupClient;
  readonly answers = new Answers();
  #entries: readonly Recorded[] = [];
  readonly #onStep: (question: string) => void;

  constructor(client: GroupClient, onStep: (question: string) => void) {
    this.client = client;
    this.#onStep = onStep;
  }

  /** The requests from which the profile is learned, in the order in which they were sent. */
  get entries(): Recorded[] {
    return [...this.#entries];
  }

  /** Undefined if the service has not created a group. The answer has the reason. */
  async askFirstGroup(): Promise<FirstGroup | undefined> {
    const { answer, entries } = await this.#ask("first group", createFirstGroup);
    const { value: group } = answer;
    if (group === undefined || !group.created.isSuccess) return undefined;
    this.client.creation = creationOf(group, entries);
    await this.#askPart([["first group, later", askAgain]]);
    return { ...group, later: this.answers.get("first group, later") ?? { why: "this was not asked" } };
  }

  async askAll(): Promise<void> {
    await this.#askPart(questions.plain);
    await this.#askPart(questions.limits);
    await this.client.budget.inPart("wrongApiTokens", () => this.#askWithWrongApiTokens());
  }

  async #askPart(part: readonly Question[]): Promise<void> {
    for (const [name, ask] of part) await this.#ask(name, ask);
    const doubtful = part.filter(([name]) => this.#errorsOf(name).length > 0);
    if (doubtful.length === 0) return;
    for (const question of doubtful) await this.#confirm(question);
    if (!(await this.#isWorking())) for (const [name] of doubtful) this.#leaveOpen(name);
  }

  /** These requests are never sent twice, so no 5xx among their responses can be confirmed. */
  async #askWithWrongApiTokens(): Promise<void> {
    for (const [name, ask] of questions.wrongApiTokens) {
      await this.#ask(name, ask, { isRepeated: false });
      if (this.#errorsOf(name).length > 0) this.#leaveOpen(name);
    }
  }

  async #ask<Value>(name: string, ask: AskQuestion<Value>, options?: AskOptions): Promise<Asked<Value>> {
    this.#onStep(name);
    const asked = await this.client.ask(name, () => ask(this.client), options);
    this.answers.set(name, asked.answer);
    // A question that is asked again loses only its 5xx: others may have used a token of its other responses since.
    this.#forgetErrorsOf(name);
    this.#entries = [...this.#entries, ...asked.entries];
    return asked;
  }

  /** Steps 1 and 2. Leaves the question open if its 5xx are not confirmed. */
  async #confirm([name, ask]: Question): Promise<void> {
    // Read now: asking again forgets these 5xx.
    const before = this.#entries.filter(({ question }) => question === name);
    if (await this.#areRepeated(this.#errorsOf(name))) return;
    const { entries: again } = await this.#ask(name, ask);
    if (!areErrorsSame(before, again)) this.#leaveOpen(name);
  }

  /** Sends the same requests again, which costs less than to ask the whole question. */
  async #areRepeated(entries: readonly Recorded[]): Promise<boolean> {
    // A token may have been rotated meanwhile.
    if (entries.some(isNamedByToken)) return false;
    for (const entry of entries) if (!(await this.client.repeats(entry))) return false;
    return true;
  }

  /** A control, for which a request is left. */
  async #isWorking(): Promise<boolean> {
    const control = () => this.client.ask("control", () => this.client.lookUp());
    const { answer } = await this.client.budget.inPart("wrongApiTokens", control);
    return answer.value?.isSuccess === true;
  }

  #errorsOf(name: string): Recorded[] {
    return this.#entries.filter((entry) => entry.question === name && isServerError(entry));
  }

  #forgetErrorsOf(name: string): void {
    this.#entries = this.#entries.filter((entry) => entry.question !== name || !isServerError(entry));
  }

  /** If a question has a 5xx, it was not confirmed: it proves nothing, and the question has no answer. */
  #leaveOpen(name: string): void {
    const [error] = this.#errorsOf(name);
    if (error === undefined) return;
    const why = `a request returned ${error.response.status}, which was not confirmed`;
    this.answers.set(name, { why, unanswered: true });
    this.#forgetErrorsOf(name);
  }
}

/** Undefined if the group may belong to someone else: such a response is not recorded. */
function creationOf({ created }: CreatedGroup, entries: readonly Recorded[]): Recorded | undefined {
  return entries.find(({ response }) => response === created);
}

function isServerError({ response }: Recorded): boolean {
  return response.status >= 500;
}

/**
 * Whether each 5xx of the second time is the one of the same request of the first time. Requests of an operation are
 * counted by themselves: the first group may be looked up once more before its token is rotated.
 */
function areErrorsSame(before: readonly Recorded[], again: readonly Recorded[]): boolean {
  const byMethod = (entries: readonly Recorded[], method: string) =>
    entries.filter(({ request }) => request.method === method);
  return again.filter(isServerError).every((entry) => {
    const { method } = entry.request;
    const earlier = byMethod(before, method)[byMethod(again, method).indexOf(entry)];
    return earlier !== undefined && isSameResponse(entry.response, earlier.response);
  });
}

function isNamedByToken({ request }: Recorded): boolean {
  const operation = operationOf(request.method);
  return operation !== undefined && operations[operation].namedBy === "current_token";
}
