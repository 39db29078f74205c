import { useEffect } from "preact/hooks";
import type { Fault, JournalEntry } from "../contract/types.js";
import { adminApi } from "./admin-api.js";
import { FaultForm } from "./fault-form.js";
import type { LiveWorld } from "./live-world.js";
import { hashOf } from "./route.js";
import { count, effectWord, scopeWord } from "./words.js";

/** Makes calls fail, slow down, break or wait; and shows when they did. */
export function FaultsView({ live }: { readonly live: LiveWorld }) {
  const { faults, entries } = live.known;
  // No event tells that somebody else took a fault away.
  useEffect(() => void live.refreshFaults(), [live]);
  return (
    <div class="view scroll faults">
      <FaultForm live={live} />
      <section class="armed" aria-label="Armed faults">
        <h2>Armed in this world</h2>
        {faults.length === 0 ? (
          <p class="none">No fault is armed: every call is answered as the service would.</p>
        ) : (
          <ul>
            {faults.toReversed().map((fault) => (
              <ArmedFault key={fault.id} live={live} fault={fault} entries={entries} />
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

function ArmedFault({ live, fault, entries }: ArmedFaultProps) {
  const { id, fired, holding, active } = fault;
  const met = entries.filter((entry) => entry.fault === id).slice(0, 8);
  const act = (doing: () => Promise<unknown>, done: string) =>
    live.act(async () => {
      await doing();
      await live.refreshFaults();
    }, done);
  const state = holding > 0 ? "holding" : active ? "waiting" : "spent";
  return (
    <li class={state}>
      <h3>
        Fault {id} {effectWord(fault)}
      </h3>
      <p>{scopeWord(fault)}</p>
      <p class="state">
        <span class={`tag ${state}`}>
          {holding > 0 ? `holds ${count(holding, "call")}` : active ? "waits for a call" : "spent"}
        </span>{" "}
        {fired === 0 ? "has not fired" : `fired ${count(fired, "time")}`}
        {met.map((entry) => (
          <a key={entry.id} href={hashOf({ entry: entry.id })}>
            #{entry.id}
          </a>
        ))}
      </p>
      <div class="actions">
        {fault.hold === true && (active || holding > 0) && (
          <button
            type="button"
            class="primary"
            onClick={() => act(() => adminApi.release(id), `Fault ${id} was released.`)}
          >
            Release<span class="off-screen"> fault {id}</span>
          </button>
        )}
        <button type="button" onClick={() => act(() => adminApi.removeFault(id), `Fault ${id} was removed.`)}>
          Remove<span class="off-screen"> fault {id}</span>
        </button>
      </div>
    </li>
  );
}
