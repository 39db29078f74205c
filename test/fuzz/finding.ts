/** The rules that must hold for every input. */
export type Rule =
  | "the server stays alive"
  | "whole requests get a response"
  | "responses are valid"
  | "nothing is printed"
  | "memory is bounded"
  | "a bystander is not delayed"
  | "A: of many creations one creates"
  | "B: of many rotations one rotates"
  | "C: nothing of an earlier epoch shows"
  | "D: tokens never repeat, worlds are isolated"
  | "E: journal ids have no gaps and no duplicates";

/** After these, the server is as before. After all others, it has to be restarted. */
const harmless = /^(responses|a bystander|A:|B:|C:|E:)/;

/** A broken rule. */
export class Finding extends Error {
  readonly rule: Rule;
  /** How long it took, for findings about time. Machines are noisy: they count only if they are found three times. */
  readonly ms: number | undefined;

  constructor(rule: Rule, what: string, ms?: number) {
    super(`${rule}: ${what}`);
    this.rule = rule;
    this.ms = ms;
  }

  /** Whether the server has to be restarted before the next case. */
  get leavesTraces(): boolean {
    return !harmless.test(this.rule);
  }
}
