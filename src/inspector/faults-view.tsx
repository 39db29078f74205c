import { counted } from "../foundation/grammar.js";
import type { Fault } from "../generated/types.js";
import { isArmed } from "../report/armed-faults.js";
import { faultName } from "../report/fault-name.js";
import type { Shown } from "./shown-test.js";
import { RequestLink } from "./shown-text.js";
import { useStore } from "./store.js";

/** Requests that are listed for a fault, the newest. */
const maxHits = 8;

/** The faults of the world, the newest first: how often each fired, and what came close. */
export function FaultsView({ shown }: { readonly shown: Shown }) {
  const { canAct } = useStore();
  const faults = shown.world?.faults ?? [];
  return (
    <section class="view" aria-label="Faults">
      <div class="scroll">
        {faults.length === 0 ? (
          <p class="none">No fault is armed: the mock handles all requests as the service would.</p>
        ) : (
          <ol class="faults">
            {faults.toReversed().map((fault) => (
              <FaultItem key={fault.id} fault={fault} shown={shown} />
            ))}
          </ol>
        )}
        {canAct && (
          <p class="none">
            “Fail next” has the usual faults. A test arms all others, with <code>mock.fault()</code>.
          </p>
        )}
      </div>
    </section>
  );
}

interface FaultItemProps {
  readonly fault: Fault;
  readonly shown: Shown;
}

function FaultItem({ fault, shown }: FaultItemProps) {
  const store = useStore();
  const { id, holding, nearMisses = [] } = fault;
  return (
    <li>
      <p>
        Fault {id}: {faultName(fault)}, <Fired fault={fault} shown={shown} />
        {holding > 0 && `, holds ${counted(holding, "request")}`}
      </p>
      {isArmed(fault) && nearMisses.length > 0 && (
        <ul aria-label={`Near misses of fault ${id}`}>
          {nearMisses.map(({ request, reason }) => (
            <li key={request}>
              <RequestLink id={request} /> came close: {reason}
            </li>
          ))}
        </ul>
      )}
      {isArmed(fault) && store.canAct && (
        <footer>
          {holding > 0 && (
            <button type="button" onClick={() => store.changeFault("releaseFault", id)}>
              Release<span class="off-screen"> fault {id}</span>
            </button>
          )}
          <button type="button" onClick={() => store.changeFault("removeFault", id)}>
            Remove<span class="off-screen"> fault {id}</span>
          </button>
        </footer>
      )}
    </li>
  );
}

/** `fired 1 of 2 → #3`. */
function Fired({ fault, shown }: FaultItemProps) {
  const { id, fired, times = 1 } = fault;
  const hits = shown.entries.filter((entry) => entry.fault === id);
  return (
    <>
      {times === "always" ? `fired ${counted(fired, "time")}` : `fired ${fired} of ${times}`}
      {hits.length > 0 && " →"}
      {hits.slice(0, maxHits).map((entry) => (
        <span key={entry.id}>
          {" "}
          <RequestLink id={entry.id} />
        </span>
      ))}
      {hits.length > maxHits && ` and ${hits.length - maxHits} more`}
    </>
  );
}
