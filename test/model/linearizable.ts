/** A request to one group: when it was sent, when its response arrived, and what it result. */
export interface Recorded {
  readonly sent: number;
  readonly received: number;
  readonly result:
    | { readonly operation: "get-or-create"; readonly isNew: boolean; readonly token: string }
    | { readonly operation: "rotate"; readonly from: string; readonly to: string | "rejected" };
}

/** The token that a group has; undefined: there is no group yet. */
type Register = string | undefined;

/** The register after this request, or `impossible` if this response was not possible. */
function step(register: Register, { result }: Recorded): Register | typeof impossible {
  if (result.operation === "get-or-create") {
    const fits = result.isNew ? register === undefined : register === result.token;
    return fits ? result.token : impossible;
  }
  if (result.to === "rejected") return register === result.from ? impossible : register;
  return register === result.from ? result.to : impossible;
}

const impossible = Symbol("impossible");

/**
 * Whether an order of the requests exists that explains every response, in which no request comes before one that was
 * complete when it was sent (the algorithm of Wing and Gong, with memoization).
 */
export function isLinearizable(history: readonly Recorded[], initial?: string): boolean {
  const requests = [...history].sort((a, b) => a.sent - b.sent);
  const tried = new Set<string>();
  const done = requests.map(() => false);

  const search = (register: Register, left: number): boolean => {
    if (left === 0) return true;
    const state = `${register} ${done.map(Number).join("")}`;
    if (tried.has(state)) return false;
    tried.add(state);
    let firstReturn = Number.POSITIVE_INFINITY;
    for (const [index, request] of requests.entries()) {
      if (done[index]) continue;
      // Sorted by `sent`: this request and the following ones were sent after an unplaced one was complete.
      if (request.sent > firstReturn) break;
      firstReturn = Math.min(firstReturn, request.received);
      const next = step(register, request);
      if (next === impossible) continue;
      done[index] = true;
      if (search(next, left - 1)) return true;
      done[index] = false;
    }
    return false;
  };
  return search(initial, requests.length);
}
