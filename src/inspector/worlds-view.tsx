import { useEffect, useRef, useState } from "preact/hooks";
import type { WorldSummary } from "../contract/types.js";
import { defaultWorld, worldNamePattern } from "../contract/world-name.js";
import { admin } from "./admin-api.js";
import { ConfirmButton } from "./buttons.js";
import { isReport } from "./embedded-report.js";
import type { LiveWorld } from "./live-world.js";
import { inspectorOf, worldName } from "./place.js";
import { count } from "./words.js";

/** The event stream of a world has no events of other worlds, so this view polls. */
const pollMs = 1_000;
const maxShown = 500;

/** All worlds of this server. A world is busy if it got calls since the last poll. */
export function WorldsView({ live }: { readonly live: LiveWorld }) {
  const { worlds, busy, refresh } = useWorlds();
  const [search, setSearch] = useState("");
  const shown = worlds.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()));
  const drop = (name: string) =>
    live.act(async () => {
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
          if (search !== "") location.assign(inspectorOf(search));
        }}
      >
        <span class="search">
          <input
            type="text"
            aria-label="Name of a world"
            placeholder="Find a world or enter a new name"
            pattern={worldNamePattern}
            title="1 to 64 characters: A–Z a–z 0–9 . _ -, but not . or .."
            spellcheck={false}
            autocomplete="off"
            value={search}
            onInput={({ currentTarget }) => setSearch(currentTarget.value)}
          />
        </span>
        <button type="submit">Go there</button>
        <span class="gap" />
        <span class="found">{count(worlds.length, "world")}</span>
      </form>
      <div class="scroll">
        <table class="worlds">
          <thead>
            <tr>
              <th scope="col">World</th>
              <th scope="col">Groups</th>
              <th scope="col">Calls</th>
              <th scope="col">
                <span class="off-screen">Busy</span>
              </th>
              <th scope="col">
                <span class="off-screen">Drop</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.slice(0, maxShown).map(({ name, groups, requests }) => (
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
                <td data-label="Calls" class="number">
                  {requests.toLocaleString("en")}
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

function useWorlds() {
  const [worlds, setWorlds] = useState<readonly WorldSummary[]>([]);
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
  };
  useEffect(() => {
    // Ignore errors: the next poll retries, and the header shows a lost connection.
    const poll = () => void refresh().catch(() => {});
    poll();
    const timer = setInterval(poll, pollMs);
    return () => clearInterval(timer);
  }, []);
  return { worlds, busy, refresh };
}
