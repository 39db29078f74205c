import { defaultWorld } from "../contract/world-name.js";
import { CopyButton } from "./copy-button.js";
import { report } from "./embedded-report.js";
import { FailNext } from "./fail-next.js";
import { useStore } from "./store.js";
import { dateText, faultName } from "./words.js";

/** Faults that are named in the header. The others are in the list of faults. */
const maxChips = 2;

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

/** The faults that can fire now. */
function ArmedFaults() {
  const store = useStore();
  const faults = store.state.shown?.world?.faults ?? [];
  // The fault that was armed last is in sight.
  const armed = faults.filter(({ active, holding }) => active || holding > 0).toReversed();
  if (armed.length === 0) return null;
  return (
    <ul class="chips" aria-label="Armed faults">
      {armed.slice(0, maxChips).map((fault) => (
        <li key={fault.id} class="chip fault" title={`Fault ${fault.id}`}>
          {faultName(fault)}
          <button
            type="button"
            title={fault.holding > 0 ? "Remove it: the requests that it holds continue" : "Remove it"}
            onClick={() =>
              store.act(() => store.admin("removeFault", { id: fault.id }), `Fault ${fault.id} was removed.`)
            }
          >
            <span aria-hidden="true">×</span>
            <span class="off-screen">Remove fault {fault.id}</span>
          </button>
        </li>
      ))}
      {armed.length > maxChips && (
        <li class="chip fault">
          <a href={store.viewHref({ name: "faults" })}>{armed.length - maxChips} more</a>
        </li>
      )}
    </ul>
  );
}
