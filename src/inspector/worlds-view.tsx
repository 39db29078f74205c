import { useEffect, useRef, useState } from "preact/hooks";
import { defaultWorld, worldNamePattern } from "../contract/world-name.js";
import type { FailureList, WorldSummary } from "../generated/types.js";
import { admin } from "./admin-api.js";
import { ConfirmButton } from "./buttons.js";
import { isReport } from "./embedded-report.js";
import { inspectorOf, worldName } from "./place.js";
import { Name } from "./visible-text.js";
import { count, timeText } from "./words.js";
import type { WorldStore } from "./world-store.js";

/** The event stream of a world has no events of other worlds, so this view polls. */
const pollMs = 1_000;
const maxShown = 500;

/** All worlds of this server. A world is busy if it got calls since the last poll. */
export function WorldsView({ store }: { readonly store: WorldStore }) {
  const { worlds, failed, busy, refresh } = useWorlds();
  const [search, setSearch] = useState("");
  const shown = (worlds ?? []).filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()));
  const drop = (name: string) =>
    store.act(async () => {
      await admin("dropWorld", { name });
      if (name === worldName && name !== defaultWorld) location.assign(inspectorOf(defaultWorld));
      else await refresh();
    }, `The world ${name} was dropped.`);
  return (
    <div class="view">
      <form
        class="tools"
        onSubmit={(event) => {
          event.preventDefault();
          if (search !== "" && !isReport) location.assign(inspectorOf(search));
        }}
      >
        <span class="search">
          <input
            type="text"
            aria-label="Name of a world"
            placeholder={isReport ? "Find a world" : "Find a world or enter a new name"}
            pattern={worldNamePattern}
            title="1 to 64 characters: A–Z a–z 0–9 . _ -, but not . or .."
            spellcheck={false}
            autocomplete="off"
            value={search}
            onInput={({ currentTarget }) => setSearch(currentTarget.value)}
          />
        </span>
        {!isReport && <button type="submit">Go there</button>}
        <span class="gap" />
        <span class="found">{worlds !== undefined && count(worlds.length, "world")}</span>
      </form>
      <div class="scroll">
        <FailedCalls failed={failed} />
        <table class="worlds">
          <thead>
            <tr>
              <th scope="col">World</th>
              <th scope="col">Groups</th>
              <th scope="col">Requests</th>
              <th scope="col">Failures</th>
              <th scope="col">
                <span class="off-screen">Busy</span>
              </th>
              <th scope="col">
                <span class="off-screen">Drop</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.slice(0, maxShown).map(({ name, groups, requests, failures }) => (
              <tr key={name} class={name === worldName ? "open" : undefined}>
                <th scope="row">
                  <a href={inspectorOf(name)} aria-current={name === worldName ? "page" : undefined}>
                    {name}
                  </a>
                  {name === worldName && <span class="tag plain">this one</span>}
                </th>
                <td data-label="Groups" class="number">
                  {groups}
                </td>
                <td data-label="Requests" class="number">
                  {requests.toLocaleString("en")}
                </td>
                <td data-label="Failures" class={failures > 0 ? "number failed" : "number"}>
                  {failures.toLocaleString("en")}
                </td>
                <td class="busy">{busy.has(name) && <span class="tag">busy</span>}</td>
                <td class="drop">
                  {!isReport && (
                    <ConfirmButton
                      label="Drop"
                      question="Sure?"
                      title={`Drop the world ${name} and everything in it`}
                      act={() => drop(name)}
                    />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {shown.length > maxShown && (
          <p class="none">{count(shown.length - maxShown, "more world")}: enter a name above to find one.</p>
        )}
      </div>
    </div>
  );
}

/** What failed, in all worlds: each row leads to the last such call. */
function FailedCalls({ failed }: { readonly failed: FailureList | undefined }) {
  if (failed === undefined || failed.failures.length === 0) return null;
  return (
    <section class="what-failed" aria-label="What failed">
      <h2>What failed</h2>
      <ul>
        {failed.failures.map(({ world, epoch, label, cause, count: times, last, at, why }) => (
          <li key={`${world} ${epoch} ${cause}`}>
            <a href={inspectorOf(world, { epoch, entry: last })}>
              <strong>{world}</strong> {label !== undefined && <Name text={label} />} <code>{cause}</code>
              {times > 1 && <span class="tag">{times} times</span>}{" "}
              <time dateTime={at}>{timeText({ at })}</time>
            </a>
            <p>{why}</p>
          </li>
        ))}
      </ul>
      {failed.left_off > 0 && <p class="none">{count(failed.left_off, "older one")} are not shown.</p>}
    </section>
  );
}

function useWorlds() {
  /** Undefined until the server has told them. */
  const [worlds, setWorlds] = useState<readonly WorldSummary[]>();
  const [failed, setFailed] = useState<FailureList>();
  const failures = useRef<number>(undefined);
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());
  const previous = useRef<ReadonlyMap<string, number> | undefined>(undefined);
  const refresh = async () => {
    const { worlds: found } = await admin("listWorlds", {});
    const known = previous.current;
    if (known !== undefined) {
      setBusy(
        new Set(
          found.filter(({ name, requests }) => requests > (known.get(name) ?? 0)).map(({ name }) => name),
        ),
      );
    }
    previous.current = new Map(found.map(({ name, requests }) => [name, requests]));
    setWorlds(found);
    // The list is fetched only when there is something new in it.
    const sum = found.reduce((all, world) => all + world.failures, 0);
    if (sum === failures.current) return;
    setFailed(await admin("listFailures", {}));
    failures.current = sum;
  };
  useEffect(() => {
    // Ignore errors: the next poll retries, and the header shows a lost connection.
    const poll = () => void refresh().catch(() => {});
    poll();
    const timer = setInterval(poll, pollMs);
    return () => clearInterval(timer);
  }, []);
  return { worlds, failed, busy, refresh };
}
