/** Why nothing is known of a situation. `kind` is counted in the output. */
export class NotAsked extends Error {
  readonly kind: string;

  constructor(kind: string, detail = kind) {
    super(detail);
    this.kind = kind;
  }
}

/** There was no response, although the request was repeated. */
export class Unanswered extends NotAsked {
  constructor(reason: string) {
    super("no response", reason);
  }
}

/** There was a response that cannot be learned: it is too large, or nested too deep, or has an odd status. */
export class Unlearnable extends NotAsked {
  constructor(reason: string) {
    super("a response that cannot be learned", reason);
  }
}

/** The rest is not asked: the service has done enough for this run. */
export class BudgetEnded extends NotAsked {
  constructor(reason: string) {
    super("budget", reason);
  }
}
