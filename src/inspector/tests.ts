import { useEffect, useRef, useState } from "preact/hooks";
import type { TestSummary } from "../generated/types.js";
import { admin } from "./admin-api.js";

/** The event stream of a world has no events of other worlds, so these are polled. */
const pollMs = 1_000;
/** A long list is not asked for all the time. */
const pauseFactor = 5;

/** All tests, kept up to date. A world is busy if it got requests since the last poll. */
export function useTests() {
  /** Undefined until the server has listed them. */
  const [tests, setTests] = useState<readonly TestSummary[]>();
  const [leftOff, setLeftOff] = useState(0);
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());
  const previous = useRef<ReadonlyMap<string, number> | undefined>(undefined);
  const refresh = async () => {
    const { tests: found, left_off } = await admin("listTests", { query: {} });
    const current = found.filter(({ state }) => state === "current");
    const known = previous.current;
    if (known !== undefined) {
      const isBusy = ({ world, requests }: TestSummary) => requests > (known.get(world) ?? 0);
      setBusy(new Set(current.filter(isBusy).map(({ world }) => world)));
    }
    previous.current = new Map(current.map(({ world, requests }) => [world, requests]));
    setTests(found);
    setLeftOff(left_off);
  };
  usePolling(refresh);
  return { tests, leftOff, busy, refresh };
}

/** How many tests have failures, in all worlds. @param isWanted false until what is looked at has been loaded */
export function useFailedTests(isWanted: boolean): number {
  const [failed, setFailed] = useState(0);
  usePolling(async () => {
    const { tests, left_off } = await admin("listTests", { query: { only: "failed" } });
    setFailed(tests.length + left_off);
  }, isWanted);
  return failed;
}

function usePolling(refresh: () => Promise<void>, isWanted = true): void {
  useEffect(() => {
    if (!isWanted) return;
    let timer = 0;
    let isActive = true;
    const poll = async () => {
      const began = performance.now();
      // Ignore errors: the next poll retries, and the header shows a lost connection.
      if (!document.hidden) await refresh().catch(() => {});
      const waitMs = Math.max(pollMs, pauseFactor * (performance.now() - began));
      if (isActive) timer = setTimeout(() => void poll(), waitMs);
    };
    void poll();
    return () => {
      isActive = false;
      clearTimeout(timer);
    };
  }, [isWanted]);
}
