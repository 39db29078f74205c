import { admin } from "./admin-api.js";
import { isReport } from "./embedded-report.js";
import type { WorldStore } from "./world-store.js";

/** Releases the requests that a fault holds. Shows nothing if it holds none. */
export function ReleaseButton({
  store,
  fault,
}: {
  readonly store: WorldStore;
  readonly fault: number | null;
}) {
  const holds = store.known.faults.some(
    ({ id, hold, holding }) => id === fault && hold === true && holding > 0,
  );
  if (isReport || fault === null || !holds) return null;
  return (
    <button
      type="button"
      class="primary release"
      onClick={() =>
        store.act(async () => {
          await admin("releaseFault", { id: fault });
          await store.refreshFaults();
        }, `Fault ${fault} was released.`)
      }
    >
      Release<span class="off-screen"> fault {fault}</span>
    </button>
  );
}
