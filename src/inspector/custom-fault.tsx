import { useState } from "preact/hooks";
import { isObject, parseJson } from "../foundation/json.js";
import type { FaultRequest } from "../generated/types.js";
import { useStore } from "./store.js";
import { faultName } from "./words.js";

const example: FaultRequest = {
  operation: "get-or-create",
  match: { user_group_id: "acme" },
  status: 503,
  times: 2,
};

/** The JSON of a fault. */
export function CustomFault() {
  const store = useStore();
  const [json, setJson] = useState(() => JSON.stringify(example, null, 2));
  const parsed = parseJson(json);
  // The mock validates it when it is armed.
  const fault: FaultRequest | undefined = isObject(parsed) ? parsed : undefined;
  return (
    <form
      class="card custom"
      aria-label="Custom fault"
      onSubmit={(event) => {
        event.preventDefault();
        const body = fault ?? {};
        void store.act(() => store.admin("armFault", { body }), `Armed: ${faultName(body)}.`);
      }}
    >
      <label>
        The fault as JSON
        <textarea
          rows={json.split("\n").length + 1}
          spellcheck={false}
          aria-invalid={fault === undefined}
          value={json}
          onInput={({ currentTarget }) => setJson(currentTarget.value)}
        />
      </label>
      <footer>
        <button type="submit" disabled={fault === undefined}>
          Arm
        </button>
        <a class="button" href={store.viewHref({ name: "faults" })}>
          Close
        </a>
        {fault === undefined && <span role="alert">This is not a JSON object.</span>}
      </footer>
    </form>
  );
}
