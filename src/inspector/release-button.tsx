import { admin } from "./admin-api.js";
import { isReport } from "./embedded-report.js";
import type { LiveWorld } from "./live-world.js";

/** Lets the calls go on that a fault holds. Nothing where no fault holds any. */
export function ReleaseButton({ live, fault }: { readonly live: LiveWorld; readonly fault: number | null }) {
  const holds = live.known.faults.some(
    ({ id, hold, holding }) => id === fault && hold === true && holding > 0,
  );
  if (isReport || fault === null || !holds) return null;
  return (
    <button
      type="button"
      class="primary release"
      onClick={() =>
        live.act(async () => {
          await admin("releaseFault", { id: fault });
          await live.refreshFaults();
        }, `Fault ${fault} was released.`)
      }
    >
      Release<span class="off-screen"> fault {fault}</span>
    </button>
  );
}
