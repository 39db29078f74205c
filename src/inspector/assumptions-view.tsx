import { useMemo, useState } from "preact/hooks";
import type { AssumptionEntry } from "../generated/types.js";
import { admin } from "./admin-api.js";
import { isReport } from "./embedded-report.js";
import { hashOf, noFilter, type Route, useTarget } from "./route.js";
import { count } from "./texts.js";
import type { WorldStore } from "./world-store.js";

/** The assumptions of this world, with all their possible values. */
export function AssumptionsView({ store, route }: { readonly store: WorldStore; readonly route: Route }) {
  const { assumptions, entries } = store.known;
  const [onlyDecided, setOnlyDecided] = useState(false);
  const decided = useMemo(() => {
    const counts = new Map<string, number>();
    for (const id of entries.flatMap(({ assumed }) => Object.keys(assumed))) {
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    return counts;
  }, [entries]);
  const shown = onlyDecided ? assumptions.filter(({ id }) => decided.has(id)) : assumptions;
  useTarget(route.item, shown.length > 0);
  return (
    <div class="view">
      <div class="tools">
        <p>Questions that the interface document leaves open. A change lasts until you reset this world.</p>
        <span class="gap" />
        <label class="check">
          <input
            type="checkbox"
            checked={onlyDecided}
            onChange={({ currentTarget }) => setOnlyDecided(currentTarget.checked)}
          />
          only assumptions that decided a response ({decided.size})
        </label>
      </div>
      <div class="scroll">
        <ul class="assumptions">
          {shown.map((assumption) => (
            <AssumptionItem
              key={assumption.id}
              store={store}
              assumption={assumption}
              requestCount={decided.get(assumption.id) ?? 0}
              isTarget={assumption.id === route.item}
            />
          ))}
        </ul>
      </div>
    </div>
  );
}

interface AssumptionProps {
  readonly store: WorldStore;
  readonly assumption: AssumptionEntry;
  readonly requestCount: number;
  readonly isTarget: boolean;
}

function AssumptionItem({ store, assumption, requestCount, isTarget }: AssumptionProps) {
  const { id, question, openBecause, value, why, values } = assumption;
  const assume = (newValue: string) =>
    store.act(async () => {
      await admin("assume", { body: { [id]: newValue } });
      await store.refreshAssumptions();
    }, `This world now assumes ${id}=${newValue}.`);
  return (
    <li class={`${value === assumption.default ? "" : "changed"} ${isTarget ? "target" : ""}`}>
      <fieldset disabled={isReport}>
        <legend>
          {question} <code>{id}</code>
          {value !== assumption.default && <span class="tag">changed</span>}
        </legend>
        {values.map(({ value: choice, meaning }) => (
          <label key={choice} class="value">
            <input type="radio" name={id} checked={choice === value} onChange={() => assume(choice)} />
            <span>
              <strong>{choice}</strong> {meaning !== choice && meaning}
              {choice === assumption.default && <small> default</small>}
            </span>
          </label>
        ))}
      </fieldset>
      <p class="because">
        “{openBecause}” {why}
      </p>
      {requestCount > 0 && (
        <p class="because">
          Decided{" "}
          <a href={hashOf({ filter: { ...noFilter, text: `assumed:${id}` } })}>
            {count(requestCount, "request")}
          </a>{" "}
          in this world.
        </p>
      )}
    </li>
  );
}
