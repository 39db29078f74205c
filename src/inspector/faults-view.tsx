import { useState } from "preact/hooks";
import { counted } from "../foundation/grammar.js";
import { isObject, parseJson } from "../foundation/json.js";
import type { Fault, FaultRequest } from "../generated/types.js";
import type { Shown } from "./shown-test.js";
import { RequestLink } from "./shown-text.js";
import { useStore } from "./store.js";
import { faultName } from "./words.js";

/** Requests that are listed for a fault, the newest. */
const maxHits = 8;

/** The faults of the world: how often each fired, and what came close. */
export function FaultsView({ shown }: { readonly shown: Shown }) {
  const store = useStore();
  const { view } = store.state.route;
  const faults = shown.world?.faults ?? [];
  const isCustom = view.name === "faults" && view.custom === true;
  return (
    <section class="view" aria-label="Faults">
      <div class="scroll">
        {store.canAct && isCustom && <CustomFault />}
        {faults.length === 0 ? (
          <p class="none">No fault is armed: the mock handles all requests as the service would.</p>
        ) : (
          <ol class="faults">
            {faults.toReversed().map((fault) => (
              <FaultItem key={fault.id} fault={fault} shown={shown} />
            ))}
          </ol>
        )}
      </div>
    </section>
  );
}

function FaultItem({ fault, shown }: { readonly fault: Fault; readonly shown: Shown }) {
  const store = useStore();
  const { id, fired, holding, abandoned, active, nearMisses = [], ...rule } = fault;
  const { times = 1 } = rule;
  const hits = shown.entries.filter((entry) => entry.fault === id);
  const links = (
    <>
      {hits.slice(0, maxHits).map((entry) => (
        <span key={entry.id}>
          {" "}
          <RequestLink id={entry.id} />
        </span>
      ))}
      {hits.length > maxHits && ` and ${hits.length - maxHits} more`}
    </>
  );
  if (!active && holding === 0) {
    return (
      <li>
        Fault {id}: {faultName(fault)} fired →{links}
      </li>
    );
  }
  return (
    <li class="card">
      <h3>
        Fault {id}: {faultName(fault)}
      </h3>
      <code>{JSON.stringify(rule)}</code>
      <p>
        {fired === 0 ? "It has not fired" : `It fired ${counted(fired, "time")}`}
        {times !== "always" && times > 1 && ` of ${times}`}
        {hits.length > 0 ? ":" : "."}
        {links} {holding > 0 && `It holds ${counted(holding, "request")}.`}
      </p>
      {nearMisses.length > 0 && (
        <>
          <p>Since it was armed, {nearMisses.length === 1 ? "this came close:" : "these came close:"}</p>
          <ul aria-label={`Near misses of fault ${id}`}>
            {nearMisses.map(({ request, reason }) => (
              <li key={request}>
                <RequestLink id={request} /> {reason}
              </li>
            ))}
          </ul>
        </>
      )}
      {store.canAct && (
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

const example: FaultRequest = {
  operation: "get-or-create",
  match: { user_group_id: "acme" },
  status: 503,
  times: 2,
};

/** The JSON of a fault. The mock validates it when it is armed. */
function CustomFault() {
  const store = useStore();
  const [json, setJson] = useState(() => JSON.stringify(example, null, 2));
  const fault = parseJson(json);
  return (
    <form
      class="card custom"
      aria-label="Custom fault"
      onSubmit={(event) => {
        event.preventDefault();
        if (isObject(fault)) void store.arm(fault);
      }}
    >
      <label>
        The fault as JSON
        <textarea
          rows={json.split("\n").length + 1}
          spellcheck={false}
          aria-invalid={!isObject(fault)}
          value={json}
          onInput={({ currentTarget }) => setJson(currentTarget.value)}
        />
      </label>
      <footer>
        <button type="submit" disabled={!isObject(fault)}>
          Arm
        </button>
        {!isObject(fault) && <span role="alert">This is not a JSON object.</span>}
      </footer>
    </form>
  );
}
