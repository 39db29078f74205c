interface Reason {
  /** A run with --expect has it on purpose, or another run would have it too: the exit code is not 2. */
  readonly isExpected?: true;
  /** It is listed with what is surprising. */
  readonly isSurprising?: true;
}

/** Why nothing is known of a situation, as it is counted in the output. */
export const reasons = {
  "--all": { isExpected: true },
  "--second-api-token": { isExpected: true },
  budget: { isExpected: true },
  "in verified.broken": { isExpected: true },
  "a conflict of names": { isExpected: true },
  "a group of an earlier run": { isExpected: true },
  "a response that cannot be learned": { isExpected: true },
  "accepted, which a profile cannot say": { isSurprising: true },
  "rejected, which a profile cannot say": { isSurprising: true },
  "no response": {},
  "a control failed": {},
  "not in the file": {},
  "nothing to ask": {},
  "a rejection for something else": {},
  "accepted of a group that exists only": {},
  "the second API token was rejected": {},
  "a group of somebody else": {},
  "not after a group of somebody else": {},
  "a group whose creation was not seen": {},
} as const satisfies Readonly<Record<string, Reason>>;

type ReasonId = keyof typeof reasons;

/** Nothing is known of a situation. The message says more than the reason. */
export class NotAsked extends Error {
  readonly kind: ReasonId;

  constructor(kind: ReasonId, detail: string = kind) {
    super(detail);
    this.kind = kind;
  }

  get reason(): Reason {
    return reasons[this.kind];
  }
}

/** There was no response, although the request was repeated. */
export class Unanswered extends NotAsked {
  constructor(detail: string) {
    super("no response", detail);
  }
}

/** There was a response that cannot be learned: it is too large, or nested too deep, or has an odd status. */
export class Unlearnable extends NotAsked {
  constructor(detail: string) {
    super("a response that cannot be learned", detail);
  }
}

/** The rest is not asked: the service has done enough for this run. */
export class BudgetEnded extends NotAsked {
  constructor(detail: string) {
    super("budget", detail);
  }
}
