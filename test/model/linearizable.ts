/** One call of a client to one group: when it was made, when its answer was there, and what both said. */
export interface Recorded {
  readonly called: number;
  readonly returned: number;
  readonly did:
    | { readonly operation: "get-or-create"; readonly isNew: boolean; readonly token: string }
    | { readonly operation: "rotate"; readonly from: string; readonly to: string | "refused" };
}

/** The token that a group has; undefined: there is no group yet. */
type Register = string | undefined;

/** What the register holds after this call, or `impossible` where it cannot have been answered so. */
function step(register: Register, { did }: Recorded): Register | typeof impossible {
  if (did.operation === "get-or-create") {
    const fits = did.isNew ? register === undefined : register === did.token;
    return fits ? did.token : impossible;
  }
  if (did.to === "refused") return register === did.from ? impossible : register;
  return register === did.from ? did.to : impossible;
}

const impossible = Symbol("impossible");

/**
 * Whether the calls can be put in one order that explains every answer and in which none comes before a call that had
 * returned when it was made: they took effect each at one moment (Wing and Gong, with what was tried remembered).
 */
export function isLinearizable(history: readonly Recorded[], initial?: string): boolean {
  const calls = [...history].sort((a, b) => a.called - b.called);
  const tried = new Set<string>();
  const done = calls.map(() => false);

  const search = (register: Register, left: number): boolean => {
    if (left === 0) return true;
    const state = `${register} ${done.map(Number).join("")}`;
    if (tried.has(state)) return false;
    tried.add(state);
    let firstReturn = Number.POSITIVE_INFINITY;
    for (const [index, call] of calls.entries()) {
      if (done[index]) continue;
      // Sorted by when they were made: this one and all that follow began after one that is still to be placed ended.
      if (call.called > firstReturn) break;
      firstReturn = Math.min(firstReturn, call.returned);
      const next = step(register, call);
      if (next === impossible) continue;
      done[index] = true;
      if (search(next, left - 1)) return true;
      done[index] = false;
    }
    return false;
  };
  return search(initial, calls.length);
}
