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
import type { WorldStore } from "./world-store.js";

/** Arms a fault, and shows the code that does it in a test. */
export function FaultForm({ store }: { readonly store: WorldStore }) {
  const [form, setForm] = useState(initialForm);
  const change = (part: Partial<FaultFields>) => setForm({ ...form, ...part });
  const has = choiceOf(form)?.has ?? [];
  const result = faultOf(form);
  const hasGroupId = namesGroup(form.operation);
  const field = (name: Exclude<keyof FaultFields, "numbers">) => ({
    value: form[name],
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) =>
      change({ [name]: currentTarget.value }),
  });
  return (
    <form
      class="fault-form"
      onSubmit={(event) => {
        event.preventDefault();
        void store.act(async () => {
          if ("error" in result) throw new Error(result.error);
          const { id } = await admin("armFault", { body: result.fault });
          await store.refreshFaults();
          store.announce(`Fault ${id} is armed.`);
        });
      }}
    >
      <h2>Arm a fault</h2>
      <fieldset class="kinds">
        <legend class="off-screen">What goes wrong</legend>
        {faultChoices.map(({ id, title, description, presets, has: fields = [] }) => (
          <label key={id}>
            <input
              type="radio"
              name="choice"
              checked={form.choice === id}
              onChange={() =>
                change({
                  choice: id,
                  delayMs: fields.includes("delayMs") ? "2000" : "",
                  phase: "before",
                  ...presets,
                })
              }
            />
            <span>
              <strong>{title}</strong>
              <small>{description}</small>
            </span>
          </label>
        ))}
      </fieldset>
      <div class="fields">
        {has.includes("status") && (
          <label>
            Status
            <input type="number" min={400} max={599} required {...field("status")} />
          </label>
        )}
        {has.includes("delayMs") && (
          <label>
            Delay in ms
            <input type="number" min={1} max={600_000} required {...field("delayMs")} />
          </label>
        )}
        <label>
          Which operation
          <select
            value={form.operation}
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
          <input type="text" list="how-often" spellcheck={false} autocomplete="off" {...field("times")} />
          <datalist id="how-often">
            <option value="1" />
            <option value="2" />
            <option value="3" />
            <option value="always" />
          </datalist>
        </label>
        <label>
          Only user_group_id
          <input
            type="text"
            placeholder="any"
            spellcheck={false}
            autocomplete="off"
            disabled={!hasGroupId}
            title={hasGroupId ? undefined : `A ${form.operation} request has no user_group_id`}
            {...field("group")}
            value={hasGroupId ? form.group : ""}
          />
        </label>
      </div>
      <details>
        <summary>More: when it happens, which requests it matches, what it returns</summary>
        <div class="fields">
          <label>
            When
            <select
              value={form.phase}
              onChange={({ currentTarget }) =>
                change({ phase: currentTarget.value === "after" ? "after" : "before" })
              }
            >
              <option value="before">before the request takes effect</option>
              <option value="after">after the request took effect</option>
            </select>
          </label>
          <label>
            Requests to skip first
            <input type="number" min={0} placeholder="0" {...field("skip")} />
          </label>
          <label>
            Only team
            <input type="number" placeholder="any" {...field("team")} />
          </label>
          {!has.includes("delayMs") && (
            <label>
              Wait first, in ms
              <input type="number" min={1} max={600_000} placeholder="0" {...field("delayMs")} />
            </label>
          )}
          <label class="wide">
            Only bodies with (JSON)
            <input
              type="text"
              spellcheck={false}
              autocomplete="off"
              placeholder='{"properties": {"region": "EU"}}'
              {...field("match")}
            />
          </label>
          {has.includes("response") && (
            <>
              <label class="wide">
                Response headers, one per line
                <textarea rows={2} spellcheck={false} placeholder="Retry-After: 1" {...field("headers")} />
              </label>
              <label class="wide">
                Response body: JSON, or text such as the error page of a proxy
                <textarea
                  rows={3}
                  spellcheck={false}
                  placeholder="<html>Bad gateway</html>"
                  {...field("responseBody")}
                />
              </label>
            </>
          )}
        </div>
      </details>
      {"error" in result ? (
        <p class="in-a-test">{result.error}</p>
      ) : (
        <p class="in-a-test">
          In a test: <code>{toCode(result.fault)}</code>
          <CopyButton store={store} text={toCode(result.fault)} what="the line for a test" />
        </p>
      )}
      <button type="submit" class="primary">
        Arm fault
      </button>
    </form>
  );
}

function operationOf(value: string): FaultFields["operation"] {
  return operationIds.find((id) => id === value) ?? "";
}
