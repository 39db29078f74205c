import { useEffect, useState } from "preact/hooks";
import type { AdminResponse } from "../contract/admin-calls.js";
import { admin } from "./admin-api.js";

/** The event stream of a world has no events of other worlds, so the tests are polled. */
const pollMs = 1_000;
/** A long list is requested less often: after five times the time that it took. */
const pauseFactor = 5;

/** All tests, kept up to date. Undefined until the server has listed them. */
export function useTests() {
  const [list, setList] = useState<AdminResponse<"listTests">>();
  const refresh = async () => setList(await admin("listTests", {}));
  usePolling(refresh);
  return { tests: list?.tests, leftOff: list?.left_off ?? 0, refresh };
}

/** How many tests have failures, in all worlds. @param isWanted false until the open view has been loaded */
export function useFailedTests(isWanted: boolean): number {
  const [failed, setFailed] = useState(0);
  usePolling(async () => {
    const { tests } = await admin("listTests", {});
    setFailed(tests.filter(({ failures }) => failures > 0).length);
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
      // Errors are ignored: the next poll retries, and the header shows a lost connection.
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
