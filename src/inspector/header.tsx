import { defaultWorld } from "../fake/contract/world-name.js";
import type { FaultRequest } from "../generated/types.js";
import { isArmed } from "../report/armed-faults.js";
import { faultName } from "../report/fault-name.js";
import { CopyButton } from "./copy-button.js";
import { report } from "./embedded-report.js";
import { RequestLink } from "./shown-text.js";
import { useStore } from "./store.js";
import { dateText } from "./words.js";

export function Header() {
  const store = useStore();
  const { canAct, url } = store;
  const { shown } = store.state;
  return (
    <header class="top">
      <h1>usergroup-mock</h1>
      {url !== undefined && report === undefined && (
        <span class="url" title={`World ${shown?.test.world ?? defaultWorld}`}>
          <code>{url}</code>
          <CopyButton text={url} what="the URL" />
        </span>
      )}
      <Status />
      {canAct && (
        <>
          <ArmedFault />
          <FailNext />
          <button
            type="button"
            title="Restore the seed, and remove faults and assumptions that a test set. The requests stay in the list of tests."
            onClick={() => void store.reset()}
          >
            Reset
          </button>
        </>
      )}
    </header>
  );
}

function Status() {
  const { shown, hasStopped } = useStore().state;
  if (report !== undefined) return <span class="status">report of {dateText(report.createdAt)}</span>;
  if (hasStopped || shown === undefined) return <span class="status" />;
  const texts = { current: "live", past: "before a reset", dropped: "" };
  return (
    <span class={shown.test.state === "current" ? "status live" : "status"} role="status">
      {texts[shown.test.state]}
    </span>
  );
}

/** The fault that has just fired, or the newest one that can fire. The view of faults has the others. */
function ArmedFault() {
  const store = useStore();
  const { shown, message } = store.state;
  const faults = shown?.world?.faults ?? [];
  const armed = faults.filter(isArmed);
  const fired = faults.find(({ id }) => id === message.fired);
  const chip = fired ?? armed.at(-1);
  const others = armed.filter((fault) => fault !== chip).length;
  const hit = fired && shown?.entries.find((entry) => entry.fault === fired.id);
  return (
    <span class="chips" role="status" aria-label="Armed faults">
      {chip !== undefined && (
        <span class="chip fault" title={`Fault ${chip.id}`}>
          {faultName(chip)}
          {hit !== undefined && (
            <>
              {" fired → "}
              <RequestLink id={hit.id} />
            </>
          )}
          {fired === undefined && (
            <button
              type="button"
              title={chip.holding > 0 ? "Remove it: the requests that it holds continue" : "Remove it"}
              onClick={() => store.changeFault("removeFault", chip.id)}
            >
              <span aria-hidden="true">×</span>
              <span class="off-screen">Remove fault {chip.id}</span>
            </button>
          )}
        </span>
      )}
      {others > 0 && <small>and {others} more</small>}
    </span>
  );
}

/** The failures that people try by hand. */
const presets: Readonly<Record<string, FaultRequest>> = {
  "any request → 500": { status: 500 },
  "get-or-create → 503": { operation: "get-or-create", status: 503 },
  "rotation → 503": { operation: "rotate", status: 503 },
  "rotation → response lost": { operation: "rotate", phase: "after", reset: true },
  "any request → connection reset": { reset: true },
  "hold two rotations": { operation: "rotate", hold: true, times: 2 },
};

/** Makes one of the next requests fail. The browser closes the menu with Escape, or at a click elsewhere. */
function FailNext() {
  const store = useStore();
  return (
    <div class="menu">
      <button type="button" title="Arm a fault in this world" popovertarget="fail-next">
        Fail next <span aria-hidden="true">▾</span>
      </button>
      <div
        popover="auto"
        id="fail-next"
        class="items"
        onBeforeToggle={({ currentTarget }) => placeBelow(currentTarget)}
      >
        {Object.entries(presets).map(([label, fault]) => (
          <button key={label} type="button" popovertarget="fail-next" onClick={() => void store.arm(fault)}>
            {label}
          </button>
        ))}
      </div>
    </div>
  );
}

/** Places the items of a menu below its button, from its left or to its right edge. */
function placeBelow(items: HTMLElement): void {
  const { left, right, bottom } = items.previousElementSibling?.getBoundingClientRect() ?? new DOMRect();
  const { clientWidth } = document.documentElement;
  const sides = left > clientWidth / 2 ? `${clientWidth - right}px auto auto` : `auto auto ${left}px`;
  items.style.inset = `${bottom}px ${sides}`;
}
