/** The rules that must hold for every input. */
const rules = {
  "the server stays alive": { leavesTraces: true },
  "whole requests get a response": { leavesTraces: true },
  "responses are valid": {},
  "nothing is printed": { leavesTraces: true },
  "memory is bounded": { leavesTraces: true },
  "a bystander is not delayed": { mayBeNoise: true },
  "A: of many creations one creates": {},
  "B: of many rotations one rotates": {},
  "C: nothing of an earlier epoch shows": {},
  "D: tokens never repeat, worlds are isolated": { leavesTraces: true },
  "E: journal ids have no gaps and no duplicates": {},
} as const satisfies Readonly<Record<string, RuleTraits>>;

interface RuleTraits {
  readonly mayBeNoise?: true;
  readonly leavesTraces?: true;
}

export type Rule = keyof typeof rules;

/** A broken rule. */
export class Finding extends Error {
  readonly rule: Rule;
  /** Machines are noisy: it counts only if it is found three times. */
  readonly mayBeNoise: boolean;
  /** The server has to be restarted before the next case. */
  readonly leavesTraces: boolean;
  /** How long it took, for findings about time. */
  readonly ms: number | undefined;

  constructor(rule: Rule, what: string, ms?: number) {
    super(`${rule}: ${what}`);
    this.ms = ms;
    const traits: RuleTraits = rules[rule];
    this.rule = rule;
    this.mayBeNoise = traits.mayBeNoise ?? false;
    this.leavesTraces = traits.leavesTraces ?? false;
  }
}
