import { useEffect } from "preact/hooks";
import type { Fault, JournalEntry } from "../contract/types.js";
import { admin } from "./admin-api.js";
import { isReport } from "./embedded-report.js";
import { FaultForm } from "./fault-form.js";
import type { LiveWorld } from "./live-world.js";
import { hashOf } from "./route.js";
import { count, effectText, scopeText } from "./words.js";

/** Arms faults, and shows which calls they hit. */
export function FaultsView({ live }: { readonly live: LiveWorld }) {
  const { faults, entries } = live.known;
  // The server sends no event when another client removes a fault.
  useEffect(() => void live.refreshFaults(), [live]);
  return (
    <div class="view scroll faults">
      {!isReport && <FaultForm live={live} />}
      <section class="armed" aria-label="Armed faults">
        <h2>Armed in this world</h2>
        {faults.length === 0 ? (
          <p class="none">No fault is armed. The mock answers all calls normally.</p>
        ) : (
          <ul>
            {faults.toReversed().map((fault) => (
              <FaultItem key={fault.id} live={live} fault={fault} entries={entries} />
            ))}
          </ul>
        )}
      </section>
    </div>
  );
}

interface ArmedFaultProps {
  readonly live: LiveWorld;
  readonly fault: Fault;
  readonly entries: readonly JournalEntry[];
}

function FaultItem({ live, fault, entries }: ArmedFaultProps) {
  const { id, fired, holding, active } = fault;
  const hits = entries.filter((entry) => entry.fault === id).slice(0, 8);
  const act = (action: () => Promise<unknown>, successText: string) =>
    live.act(async () => {
      await action();
      await live.refreshFaults();
    }, successText);
  const state = holding > 0 ? "holding" : active ? "waiting" : "spent";
  return (
    <li class={state}>
      <h3>
        Fault {id} {effectText(fault)}
      </h3>
      <p>{scopeText(fault)}</p>
      <p class="state">
        <span class={`tag ${state}`}>
          {holding > 0 ? `holds ${count(holding, "call")}` : active ? "waits for a call" : "spent"}
        </span>{" "}
        {fired === 0 ? "has not fired" : `fired ${count(fired, "time")}`}
        {hits.map((entry) => (
          <a key={entry.id} href={hashOf({ entry: entry.id })}>
            #{entry.id}
          </a>
        ))}
      </p>
      <div class="actions" hidden={isReport}>
        {fault.hold === true && (active || holding > 0) && (
          <button
            type="button"
            class="primary"
            onClick={() => act(() => admin("releaseFault", { id }), `Fault ${id} was released.`)}
          >
            Release<span class="off-screen"> fault {id}</span>
          </button>
        )}
        <button
          type="button"
          onClick={() => act(() => admin("removeFault", { id }), `Fault ${id} was removed.`)}
        >
          Remove<span class="off-screen"> fault {id}</span>
        </button>
      </div>
    </li>
  );
}
