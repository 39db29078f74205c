import { useState } from "preact/hooks";
import { type FaultKind, faultKinds, findKinds, kindNames } from "../contract/fault-kinds.js";
import { operationIds } from "../contract/operations.js";
import { isObject, parseJson } from "../foundation/json.js";
import type { FaultRequest } from "../generated/types.js";
import { useStore } from "./store.js";
import { faultName } from "./words.js";

/** The values of kinds that are not just true, when they are chosen. */
const kindValues: Partial<Record<FaultKind, number>> = { status: 503, delayMs: 1_000 };

/** Fields that go with `status` only. */
const withStatus = ["headers", "body", "text"];

const initialFault: FaultRequest = { operation: "rotate", status: 503 };

/** One sentence with fields for what is common. The JSON below it is the fault itself, for everything rarer. */
export function CustomFault() {
  const store = useStore();
  const [json, setJson] = useState(() => JSON.stringify(initialFault, null, 2));
  const parsed = parseJson(json);
  // The mock validates it when it is armed.
  const fault: FaultRequest | undefined = isObject(parsed) ? parsed : undefined;
  const set = (fields: Record<string, unknown>) => setJson(JSON.stringify({ ...fault, ...fields }, null, 2));
  const arm = () =>
    store.act(() => store.admin("armFault", { body: fault ?? {} }), `Armed: ${faultName(fault ?? {})}.`);
  return (
    <form
      class="card custom"
      aria-label="Custom fault"
      onSubmit={(event) => {
        event.preventDefault();
        void arm();
      }}
    >
      <Sentence fault={fault ?? {}} isDisabled={fault === undefined} set={set} />
      <label class="json">
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
        <button type="submit" class="primary" disabled={fault === undefined}>
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

interface SentenceProps {
  readonly fault: FaultRequest;
  readonly isDisabled: boolean;
  /** Undefined removes a field. */
  readonly set: (fields: Record<string, unknown>) => void;
}

function Sentence({ fault, isDisabled, set }: SentenceProps) {
  const { operation, match, times = 1, status, delayMs, phase = "before" } = fault;
  const [kind = "status"] = findKinds(fault);
  const setKind = (chosen: string) => {
    const next = kindNames.find((name) => name === chosen) ?? "status";
    const others = [...kindNames, ...(next === "status" ? [] : withStatus)];
    set({ ...Object.fromEntries(others.map((name) => [name, undefined])), [next]: kindValues[next] ?? true });
  };
  return (
    <fieldset class="sentence" disabled={isDisabled}>
      <legend class="off-screen">The fault as a sentence</legend>
      The next{" "}
      <input
        aria-label="How often it fires"
        size={2}
        inputMode="numeric"
        value={times === "always" ? "" : String(times)}
        placeholder="all"
        onInput={({ currentTarget: { value } }) =>
          set({ times: /^\d+$/.test(value) && Number(value) > 0 ? Number(value) : "always" })
        }
      />{" "}
      <select
        aria-label="Which requests"
        value={operation ?? ""}
        onChange={({ currentTarget: { value } }) => set({ operation: value || undefined })}
      >
        <option value="">any</option>
        {operationIds.map((id) => (
          <option key={id} value={id}>
            {id}
          </option>
        ))}
      </select>{" "}
      requests{" "}
      {operation !== "rotate" && (
        <>
          of the group{" "}
          <input
            aria-label="Of which group"
            size={10}
            placeholder="any"
            value={match?.user_group_id ?? ""}
            onInput={({ currentTarget: { value } }) =>
              set({ match: value === "" ? undefined : { ...match, user_group_id: value } })
            }
          />{" "}
        </>
      )}
      <select
        aria-label="What happens"
        value={kind}
        onChange={({ currentTarget }) => setKind(currentTarget.value)}
      >
        {kindNames.map((name) => (
          <option key={name} value={name}>
            {faultKinds[name].choice}
          </option>
        ))}
      </select>{" "}
      {kind === "status" && (
        <NumberField label="Status" value={status} change={(value) => set({ status: value })} />
      )}
      {kind === "delayMs" && (
        <>
          <NumberField label="Milliseconds" value={delayMs} change={(value) => set({ delayMs: value })} /> ms
        </>
      )}{" "}
      <select
        aria-label="When"
        value={phase}
        onChange={({ currentTarget: { value } }) => set({ phase: value === "after" ? value : undefined })}
      >
        <option value="before">before</option>
        <option value="after">after</option>
      </select>{" "}
      they take effect.
    </fieldset>
  );
}

interface NumberFieldProps {
  readonly label: string;
  readonly value: number | undefined;
  readonly change: (value: number) => void;
}

function NumberField({ label, value = 0, change }: NumberFieldProps) {
  return (
    <input
      aria-label={label}
      size={5}
      inputMode="numeric"
      value={String(value)}
      onInput={({ currentTarget }) => change(Number(currentTarget.value.replace(/\D/g, "")))}
    />
  );
}
