import { injectedFailures, parseInjection, type RequestName } from "./injection.js";
import type { RecordedRequest } from "./record-requests.js";

/** A request that has arrived at a mock of a run. */
export interface ArrivedRequest {
  readonly at: number;
  /** Its world is the id of the test, if tests share the world. */
  readonly name: Required<RequestName>;
  /** 0 if the run does not learn the names of requests. */
  readonly occurrence: number;
  readonly world: string;
  /** The epoch in which it arrived. */
  readonly n: number;
  /** The id of its journal entry. */
  readonly id: number;
  /** Whether its test had failed before, or is unknown: the request may be one of a hook that cleans up. */
  readonly isLate: boolean;
  /** The failure that was injected into it. */
  readonly injected?: string;
}

/**
 * The injected failures after which the program got through: a later request of the same operation about the same group
 * succeeded and was delivered, before the test failed. After a rotation whose response did not arrive, get-or-create
 * returns the new token, so it counts too.
 * @param arrived the requests of one mock
 * @param journal what that mock recorded of its completed requests
 */
export function findRecoveries(
  arrived: readonly ArrivedRequest[],
  journal: readonly RecordedRequest[],
): string[] {
  const isSuccess = ({ world, n, id }: ArrivedRequest) =>
    journal.some(({ entry, ...one }) => {
      const isSame = entry.id === id && one.n === n && one.world === world;
      return isSame && entry.outcome === "success" && entry.delivery === "complete";
    });
  return arrived.flatMap(({ injected, name, world, n, id }) => {
    if (injected === undefined) return [];
    const rule = injectedFailures[parseInjection(injected).failure];
    const hasEffect = typeof rule === "object" && "phase" in rule;
    const isRecovery = (later: ArrivedRequest) =>
      later.world === world &&
      later.n === n &&
      later.id > id &&
      !later.isLate &&
      later.name.world === name.world &&
      later.name.group === name.group &&
      (later.name.operation === name.operation || (hasEffect && later.name.operation === "get-or-create")) &&
      isSuccess(later);
    return arrived.some(isRecovery) ? [injected] : [];
  });
}
