import { useEffect } from "preact/hooks";
import type { Fault, JournalEntry } from "../generated/types.js";
import { admin } from "./admin-api.js";
import { ConfirmButton } from "./buttons.js";
import { isReport } from "./embedded-report.js";
import { FaultForm } from "./fault-form.js";
import { useNow } from "./now.js";
import { ReleaseButton } from "./release-button.js";
import { hashOf, type Route, useTarget } from "./route.js";
import { count, effectText, elapsedText, scopeText } from "./texts.js";
import type { WorldStore } from "./world-store.js";

/** Arms faults, and shows which requests they matched. */
export function FaultsView({ store, route }: { readonly store: WorldStore; readonly route: Route }) {
  const { faults, entries, epoch } = store.known;
  // The server sends no event when another client removes a fault.
  useEffect(() => void store.refreshFaults(), [store]);
  // A request that matches no fault may be a near miss, for which the server sends no event.
  const [newest] = entries;
  useEffect(() => store.faultsMayHaveChanged(), [store, newest?.id]);
  const now = useNow(faults.some(({ holding }) => holding > 0));
  useTarget(route.item, faults.length > 0);
  return (
    <div class="view scroll faults">
      {!isReport && <FaultForm store={store} />}
      <section class="armed" aria-label="Armed faults">
        <header>
          <h2>Armed in this world</h2>
          {!isReport && faults.length > 0 && (
            <ConfirmButton
              label="Clear all"
              question="Sure?"
              title="Remove all faults and release held requests"
              act={() =>
                store.act(async () => {
                  await admin("clearFaults", {});
                  await store.refreshFaults();
                }, "All faults were removed.")
              }
            />
          )}
        </header>
        {faults.length === 0 ? (
          <p class="none">No fault is armed. The mock handles all requests normally.</p>
        ) : (
          <ul>
            {faults.toReversed().map((fault) => (
              <FaultItem
                key={fault.id}
                store={store}
                fault={fault}
                hits={entries.filter((entry) => entry.fault === fault.id)}
                epoch={epoch}
                now={now}
                isTarget={String(fault.id) === route.item}
              />
            ))}
          </ul>
        )}
      </section>
    </div>
  );
}

interface ArmedFaultProps {
  readonly store: WorldStore;
  readonly fault: Fault;
  /** The requests that it matched, newest first. */
  readonly hits: readonly JournalEntry[];
  readonly epoch: number | undefined;
  readonly now: number;
  readonly isTarget: boolean;
}

const maxHits = 8;

/** Why a fault has not fired: the near misses, as `assertFaultsFired()` lists them. */
function NearMisses({ fault, epoch }: { readonly fault: Fault; readonly epoch: number | undefined }) {
  const { fired, nearMisses = [] } = fault;
  if (fired > 0 || nearMisses.length === 0) return null;
  return (
    <div class="misses">
      <p>{count(nearMisses.length, "request")} came close:</p>
      <ul aria-label={`Near misses of fault ${fault.id}`}>
        {nearMisses.map(({ request, reason }) => (
          <li key={request}>
            <a href={hashOf({ epoch, entry: request })}>#{request}</a> {reason}
          </li>
        ))}
      </ul>
    </div>
  );
}

function FaultItem({ store, fault, hits, epoch, now, isTarget }: ArmedFaultProps) {
  const { id, fired, holding, active } = fault;
  const state = holding > 0 ? "holding" : active ? "waiting" : "spent";
  return (
    <li class={`fault-card ${state}${isTarget ? " target" : ""}`}>
      <h3>
        Fault {id} {effectText(fault)}
      </h3>
      <p>{scopeText(fault)}</p>
      <p class="state">
        <span class={`tag ${state}`}>
          {holding > 0 ? `holds ${count(holding, "request")}` : active ? "waits for a request" : "spent"}
        </span>{" "}
        {fired === 0 ? "has not fired" : `fired ${count(fired, "time")}`}
        {hits.slice(0, maxHits).map((entry) => (
          <a key={entry.id} href={hashOf({ epoch, entry: entry.id })}>
            #{entry.id}
            {entry.outcome === "pending" && ` for ${elapsedText(entry, now)}`}
          </a>
        ))}
        {hits.length > maxHits && ` and ${hits.length - maxHits} more`}
      </p>
      <NearMisses fault={fault} epoch={epoch} />
      {!isReport && (
        <div class="actions">
          <ReleaseButton store={store} fault={id} />
          <button
            type="button"
            onClick={() =>
              store.act(async () => {
                await admin("removeFault", { id });
                await store.refreshFaults();
              }, `Fault ${id} was removed.`)
            }
          >
            Remove<span class="off-screen"> fault {id}</span>
          </button>
        </div>
      )}
    </li>
  );
}
