import { useEffect, useRef, useState } from "preact/hooks";
import type { WorldSummary } from "../contract/types.js";
import { adminApi } from "./admin-api.js";
import { ConfirmButton } from "./buttons.js";
import type { LiveWorld } from "./live-world.js";
import { inspectorOf, worldName } from "./place.js";
import { count } from "./words.js";

/** No event of this world tells of the others. */
const lookEveryMs = 1_000;
const most = 500;

/** The worlds of this server: which are there, which are busy, and the way to each. */
export function WorldsView({ live }: { readonly live: LiveWorld }) {
  const { worlds, busy, look } = useWorlds();
  const [wanted, setWanted] = useState("");
  const shown = worlds.filter(({ name }) => name.toLowerCase().includes(wanted.toLowerCase()));
  const drop = (name: string) =>
    live.act(async () => {
      await adminApi.drop(name);
      if (name === worldName && name !== "default") location.assign(inspectorOf("default"));
      else await look();
    }, `The world ${name} was dropped.`);
  return (
    <div class="view">
      <form
        class="tools"
        onSubmit={(event) => {
          event.preventDefault();
          if (wanted !== "") location.assign(inspectorOf(wanted));
        }}
      >
        <span class="search">
          <input
            type="text"
            aria-label="Name of a world"
            placeholder="Find a world, or name a new one"
            pattern="(?!\.{1,2}$)[A-Za-z0-9._\-]{1,64}"
            title="1 to 64 of A–Z a–z 0–9 . _ -, and neither . nor .."
            spellcheck={false}
            autocomplete="off"
            value={wanted}
            onInput={({ currentTarget }) => setWanted(currentTarget.value)}
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
            {shown.slice(0, most).map(({ name, groups, requests }) => (
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
                  <ConfirmButton
                    label="Drop"
                    question="Sure?"
                    title={`Forget the world ${name} with all that is in it`}
                    act={() => drop(name)}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {shown.length > most && (
          <p class="none">{count(shown.length - most, "world")} more: name one above.</p>
        )}
      </div>
    </div>
  );
}

function useWorlds() {
  const [worlds, setWorlds] = useState<readonly WorldSummary[]>([]);
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());
  const before = useRef<ReadonlyMap<string, number> | undefined>(undefined);
  const look = async () => {
    const { worlds: found } = await adminApi.worlds();
    const known = before.current;
    if (known !== undefined) {
      setBusy(
        new Set(
          found.filter(({ name, requests }) => requests > (known.get(name) ?? 0)).map(({ name }) => name),
        ),
      );
    }
    before.current = new Map(found.map(({ name, requests }) => [name, requests]));
    setWorlds(found);
  };
  useEffect(() => {
    // A look that fails is made up for by the next one; that the server is gone is told elsewhere.
    const again = () => void look().catch(() => {});
    again();
    const timer = setInterval(again, lookEveryMs);
    return () => clearInterval(timer);
  }, []);
  return { worlds, busy, look };
}
