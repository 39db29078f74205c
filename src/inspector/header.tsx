import { defaultWorld } from "../fake/contract/world-name.js";
import type { FaultRequest } from "../generated/types.js";
import { CopyButton } from "./copy-button.js";
import { report } from "./embedded-report.js";
import { Menu } from "./menu.js";
import { RequestLink } from "./shown-text.js";
import { useStore } from "./store.js";
import { dateText, faultName } from "./words.js";

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
          <ArmedFaults />
          <FailNext />
          <button
            type="button"
            title="Restore the seed, and remove faults and changed assumptions. The requests stay in the list of tests."
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

/** Faults that are named in the header. The others are in the list of faults. */
const maxChips = 2;

/** The faults that can fire now, the newest first, after the one that has just fired. */
function ArmedFaults() {
  const store = useStore();
  const { shown, message } = store.state;
  const chips = (shown?.world?.faults ?? [])
    .filter(({ id, active, holding }) => active || holding > 0 || id === message.fired)
    .sort((a, b) => Number(b.id === message.fired) - Number(a.id === message.fired) || b.id - a.id);
  if (chips.length === 0) return null;
  return (
    <ul class="chips" aria-label="Armed faults">
      {chips.slice(0, maxChips).map((fault) => {
        const { id, holding } = fault;
        const hit = shown?.entries.find((entry) => entry.fault === id);
        return (
          <li key={id} class="chip fault" title={`Fault ${id}`}>
            {faultName(fault)}
            {hit !== undefined && (
              <span role="status">
                fired → <RequestLink id={hit.id} />
              </span>
            )}
            {id !== message.fired && (
              <button
                type="button"
                title={holding > 0 ? "Remove it: the requests that it holds continue" : "Remove it"}
                onClick={() => store.changeFault("removeFault", id)}
              >
                <span aria-hidden="true">×</span>
                <span class="off-screen">Remove fault {id}</span>
              </button>
            )}
          </li>
        );
      })}
      {chips.length > maxChips && (
        <li class="chip fault">
          <a href={store.viewHref({ name: "faults" })}>{chips.length - maxChips} more</a>
        </li>
      )}
    </ul>
  );
}

/** The failures that people try by hand. */
const presets: Readonly<Record<string, FaultRequest>> = {
  "rotation → 503": { operation: "rotate", status: 503 },
  "rotation → response lost": { operation: "rotate", phase: "after", reset: true },
  "any request → connection reset": { reset: true },
  "hold two rotations": { operation: "rotate", hold: true, times: 2 },
};

/** Makes one of the next requests fail. */
function FailNext() {
  const store = useStore();
  return (
    <Menu label="Fail next" title="Arm a fault in this world">
      {Object.entries(presets).map(([label, fault]) => (
        <button key={label} type="button" onClick={() => store.arm(fault)}>
          {label}
        </button>
      ))}
      <a href={store.viewHref({ name: "faults", custom: true })}>Custom…</a>
    </Menu>
  );
}
