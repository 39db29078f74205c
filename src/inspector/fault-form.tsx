import { useState } from "preact/hooks";
import { operationIds } from "../contract/operations.js";
import { admin } from "./admin-api.js";
import { CopyButton } from "./buttons.js";
import {
  choiceOf,
  type FaultFields,
  faultChoices,
  faultOf,
  initialForm,
  namesGroup,
  toCode,
} from "./fault-choices.js";
import type { LiveWorld } from "./live-world.js";

/** Arms a fault, and shows the code that does it in a test. */
export function FaultForm({ live }: { readonly live: LiveWorld }) {
  const [form, setForm] = useState(initialForm);
  const change = (part: Partial<FaultFields>) => setForm({ ...form, ...part });
  const extraField = choiceOf(form)?.field;
  const fault = faultOf(form);
  const code = toCode(fault);
  const hasGroupId = namesGroup(fault.operation);
  return (
    <form
      class="fault-form"
      onSubmit={(event) => {
        event.preventDefault();
        void live.act(async () => {
          const { id } = await admin("armFault", { body: fault });
          await live.refreshFaults();
          live.announce(`Fault ${id} is armed.`);
        });
      }}
    >
      <h2>Arm a fault</h2>
      <fieldset class="kinds">
        <legend class="off-screen">What goes wrong</legend>
        {faultChoices.map(({ id, title, description }) => (
          <label key={id}>
            <input
              type="radio"
              name="choice"
              checked={form.choice === id}
              onChange={() => change({ choice: id, ...(id === "lost" && { operation: "", group: "" }) })}
            />
            <span>
              <strong>{title}</strong>
              <small>{description}</small>
            </span>
          </label>
        ))}
      </fieldset>
      <div class="fields">
        {extraField === "status" && (
          <label>
            Status
            <input
              type="number"
              min={400}
              max={599}
              required
              value={form.status}
              onInput={({ currentTarget }) => change({ status: currentTarget.value })}
            />
          </label>
        )}
        {extraField === "delayMs" && (
          <label>
            Delay in ms
            <input
              type="number"
              min={1}
              max={600_000}
              required
              value={form.delayMs}
              onInput={({ currentTarget }) => change({ delayMs: currentTarget.value })}
            />
          </label>
        )}
        <label>
          Which operation
          <select
            value={fault.operation ?? ""}
            disabled={form.choice === "lost"}
            onChange={({ currentTarget }) => change({ operation: operationOf(currentTarget.value) })}
          >
            <option value="">any</option>
            {operationIds.map((id) => (
              <option key={id}>{id}</option>
            ))}
          </select>
        </label>
        <label>
          How often
          <select value={form.times} onChange={({ currentTarget }) => change({ times: currentTarget.value })}>
            <option value="1">once</option>
            <option value="2">twice</option>
            <option value="3">3 times</option>
            <option value="always">always</option>
          </select>
        </label>
        <label>
          Only user_group_id
          <input
            type="text"
            placeholder="any"
            spellcheck={false}
            autocomplete="off"
            disabled={!hasGroupId}
            title={hasGroupId ? undefined : `A ${fault.operation} call has no user_group_id`}
            value={hasGroupId ? form.group : ""}
            onInput={({ currentTarget }) => change({ group: currentTarget.value })}
          />
        </label>
      </div>
      <p class="in-a-test">
        In a test: <code>{code}</code>
        <CopyButton live={live} text={code} what="the line for a test">
          Copy<span class="off-screen"> the line for a test</span>
        </CopyButton>
      </p>
      <button type="submit" class="primary">
        Arm it
      </button>
    </form>
  );
}

function operationOf(value: string): FaultFields["operation"] {
  return operationIds.find((id) => id === value) ?? "";
}
