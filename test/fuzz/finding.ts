/** What must hold, whatever is sent. With `mayBeNoise` or `leavesTraces` where that is so. */
const rules = {
  "it stays alive": { leavesTraces: true },
  "whole calls are answered": { leavesTraces: true },
  "answers are what they should be": {},
  "nothing is printed": { leavesTraces: true },
  "memory is bounded": { leavesTraces: true },
  "a bystander is not delayed": { mayBeNoise: true },
  "it stops within a second": { mayBeNoise: true, leavesTraces: true },
  "A: of many creations one creates": {},
  "B: of many rotations one rotates": {},
  "C: nothing of an earlier epoch shows": {},
  "D: tokens never repeat, worlds never touch": { leavesTraces: true },
  "E: journal ids have no gaps and no doubles": {},
} as const satisfies Readonly<Record<string, RuleTraits>>;

interface RuleTraits {
  readonly mayBeNoise?: true;
  readonly leavesTraces?: true;
}

export type Rule = keyof typeof rules;

/** A rule that did not hold. */
export class Finding extends Error {
  readonly rule: Rule;
  /** Machines are noisy: it counts only when it is found three times. */
  readonly mayBeNoise: boolean;
  /** The server is to be started again before the next case. */
  readonly leavesTraces: boolean;
  /** How long something took, where that is what was found. */
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
