import { useEffect, useMemo, useRef } from "preact/hooks";
import type { JournalEntry } from "../generated/types.js";
import { useBodies } from "./bodies.js";
import { bestToCompare, Comparison } from "./comparison.js";
import { EntryActions } from "./entry-actions.js";
import { type GroupOfEntry, groupOfEntry, type Lookups } from "./entry-facts.js";
import { lifecycleOf } from "./group-lifecycle.js";
import { itemKey } from "./journal-items.js";
import { LifecycleSteps } from "./lifecycle-steps.js";
import { useNow } from "./now.js";
import { ReleaseButton } from "./release-button.js";
import { RequestResponse } from "./request-response.js";
import { retriesIn } from "./retries.js";
import { type ComparedEntry, go, hashOf, type Route } from "./route.js";
import { Name } from "./shown-text.js";
import { deliveryTexts, durationText, elapsedText, operationText, statusText, timeText } from "./texts.js";
import { Why } from "./why.js";
import type { WorldStore } from "./world-store.js";

interface EntryDetailProps {
  readonly store: WorldStore;
  readonly entry: JournalEntry;
  readonly route: Route;
  /** The epoch of the entry. */
  readonly epoch: number | undefined;
  /** The journal of that epoch. */
  readonly entries: readonly JournalEntry[];
  readonly lookups: Lookups;
  /** Why the entry is not in the current journal. */
  readonly remark: string | undefined;
  readonly closeHref: string;
}

export function EntryDetail(props: EntryDetailProps) {
  const { store, entry, route, epoch, entries, lookups, remark, closeHref } = props;
  const bodies = useBodies(entry, epoch);
  const group = groupOfEntry(entry, lookups);
  const now = useNow(entry.outcome === "pending");
  const article = useRef<HTMLElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    article.current?.scrollTo(0, 0);
    // On a phone the list is hidden, and the focus would be lost with it.
    if (!isVisible(document.querySelector(".journal-list"))) title.current?.focus();
  }, [entry.id]);
  const best = useMemo(() => {
    const retried = retriesIn(epoch, entries).get(itemKey(epoch, entry.id));
    return bestToCompare(entry, entries, retried, (one) => groupOfEntry(one, lookups).groupId);
  }, [entry, entries, epoch, lookups]);
  const compare = (compared: ComparedEntry | undefined) => ({ ...route, epoch, compared });
  return (
    <article class="entry" ref={article} aria-label={`Request ${entry.id}`}>
      <header>
        <h2 ref={title} tabIndex={-1}>
          <span class={`status ${entry.outcome}`}>{statusText(entry)}</span>
          {operationText(entry)} <span class="id">#{entry.id}</span>
        </h2>
        <a class="close" href={closeHref} aria-label="Close">
          ✕
        </a>
        <p class="facts">
          <GroupLink group={group} />
          <span>
            {entry.outcome === "pending" ? `pending for ${elapsedText(entry, now)}` : durationText(entry)}
          </span>
          <time dateTime={entry.at}>{timeText(entry)}</time>
          {entry.effect !== "none" && <span>{entry.effect}</span>}
          {entry.delivery !== undefined && entry.delivery !== "complete" && (
            <span>{deliveryTexts[entry.delivery]}</span>
          )}
          {entry.fault !== null && (
            <a href={hashOf({ view: "faults", item: String(entry.fault) })}>fault {entry.fault}</a>
          )}
          {entry.request.headers["usergroup-mock-sent-by"] !== undefined && (
            <span>sent by the inspector</span>
          )}
          {entry.outcome === "pending" && <ReleaseButton store={store} fault={entry.fault} />}
        </p>
        {remark !== undefined && <p class="remark">{remark}</p>}
        <EntryActions store={store} entry={entry} epoch={epoch} bodies={bodies} />
      </header>
      <Why entry={entry} epoch={epoch} />
      {route.compared === undefined ? (
        <>
          {best !== undefined && (
            <p>
              <a href={hashOf(compare({ epoch: undefined, id: best.other.id }))}>
                Compare with #{best.other.id}, {best.reason}
              </a>
            </p>
          )}
          <RequestResponse store={store} entry={entry} bodies={bodies} />
        </>
      ) : (
        <>
          <p>
            <a href={hashOf(compare(undefined))}>Close the comparison</a>
          </p>
          <Comparison
            store={store}
            entry={entry}
            epoch={epoch}
            compared={route.compared}
            choose={(compared) => go(compare(compared), true)}
          />
        </>
      )}
      <Changes changes={entry.changes} />
      <Lifecycle
        store={store}
        entry={entry}
        group={group}
        epoch={epoch}
        entries={entries}
        lookups={lookups}
      />
      <Assumed assumed={entry.assumed} store={store} />
    </article>
  );
}

function isVisible(element: Element | null): boolean {
  return element instanceof HTMLElement && element.offsetParent !== null;
}

function GroupLink({ group: { groupId, teamId } }: { readonly group: GroupOfEntry }) {
  if (groupId === undefined) return null;
  const name = <Name text={groupId} />;
  if (teamId === undefined) return <span class="group">{name}</span>;
  return (
    <a class="group" href={hashOf({ view: "groups", group: { groupId, teamId } })}>
      {name}
    </a>
  );
}

function Changes({ changes }: { readonly changes: JournalEntry["changes"] | undefined }) {
  if (changes === undefined) return null;
  return (
    <section aria-label="Changes">
      <h3>Changes to the group</h3>
      <table class="changes">
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(changes).map(([field, { before, after }]) => (
            <tr key={field}>
              <th scope="row">{field}</th>
              <td>
                <code>{JSON.stringify(before)}</code>
              </td>
              <td>
                <code>{JSON.stringify(after)}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface LifecycleProps extends Pick<EntryDetailProps, "store" | "entry" | "epoch" | "entries" | "lookups"> {
  readonly group: GroupOfEntry;
}

function Lifecycle({ store, entry, group: { groupId, teamId }, epoch, entries, lookups }: LifecycleProps) {
  if (groupId === undefined || teamId === undefined) return null;
  const isCurrent = epoch === store.known.epoch;
  const steps = lifecycleOf({ groupId, teamId }, isCurrent ? store.known.groups : [], entries, lookups);
  if (steps.length < 2) return null;
  return (
    <section class="lifecycle-of" aria-label="Lifecycle of the group">
      <h3>
        Lifecycle of <Name text={groupId} />
      </h3>
      <LifecycleSteps steps={steps} epoch={epoch} entry={entry.id} />
    </section>
  );
}

function Assumed({ assumed, store }: Pick<JournalEntry, "assumed"> & { readonly store: WorldStore }) {
  const decided = Object.entries(assumed);
  if (decided.length === 0) return null;
  return (
    <section class="assumed" aria-label="Assumed">
      <h3>Assumed, because it is not documented</h3>
      <ul>
        {decided.map(([id, value]) => {
          const known = store.known.assumptions.find((assumption) => assumption.id === id);
          const meaning = known?.values.find((one) => one.value === value)?.meaning;
          return (
            <li key={id}>
              <a href={hashOf({ view: "assumptions", item: id })}>{`${id}=${value}`}</a>
              {meaning !== value && meaning}
              <p>{known?.question}</p>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
