import type { FaultRequest } from "../generated/types.js";
import { Menu } from "./menu.js";
import { useStore } from "./store.js";
import { faultName } from "./words.js";

/** The failures that people try by hand. */
const presets: readonly (readonly [label: string, fault: FaultRequest])[] = [
  ["rotation → 503", { operation: "rotate", status: 503 }],
  ["rotation → response lost", { operation: "rotate", phase: "after", reset: true }],
  ["any request → connection reset", { reset: true }],
  ["hold two rotations", { operation: "rotate", hold: true, times: 2 }],
];

/** Makes one of the next requests fail. */
export function FailNext() {
  const store = useStore();
  return (
    <Menu label="Fail next" title="Arm a fault in this world">
      {presets.map(([label, fault]) => (
        <button
          key={label}
          type="button"
          onClick={() =>
            store.act(() => store.admin("armFault", { body: fault }), `Armed: ${faultName(fault)}.`)
          }
        >
          {label}
        </button>
      ))}
      <a href={store.viewHref({ name: "faults", custom: true })}>Custom…</a>
    </Menu>
  );
}
