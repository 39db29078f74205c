import { useEffect, useMemo, useRef } from "preact/hooks";
import { whyOf } from "../contract/why.js";
import { fieldOf } from "../foundation/json.js";
import type { JournalEntry, RequestBody } from "../generated/types.js";
import { useBodies } from "./bodies.js";
import { CopyButton } from "./buttons.js";
import { bestToCompare, Comparison } from "./comparison.js";
import { asCurl, asJavaScript, asTest } from "./copy-as.js";
import { isReport } from "./embedded-report.js";
import { factsOf, type GroupKey, groupOfEntry, type Lookups } from "./entry-facts.js";
import { itemKey } from "./journal-items.js";
import { LifeLine } from "./life-line.js";
import { lifeOf } from "./life-of-group.js";
import { useNow } from "./now.js";
import { ReleaseButton } from "./release-button.js";
import { repeatedCall } from "./repeated-call.js";
import { retriesIn } from "./retries.js";
import { type ComparedEntry, go, hashOf, type Route } from "./route.js";
import { sendCallAgain } from "./send-form.js";
import { Sides } from "./sides.js";
import { Name } from "./visible-text.js";
import { deliveryWords, durationText, elapsedText, operationText, statusText, timeText } from "./words.js";
import type { WorldStore } from "./world-store.js";

interface EntryDetailProps {
  readonly store: WorldStore;
  readonly entry: JournalEntry;
  readonly route: Route;
  /** The epoch that it belongs to. */
  readonly epoch: number | undefined;
  /** The journal that it belongs to. */
  readonly entries: readonly JournalEntry[];
  readonly lookups: Lookups;
  /** Why it is not in the journal of now. */
  readonly remark: string | undefined;
  readonly closeHref: string;
}

/** One call: why, request, response, the life of its group and what was assumed. */
export function EntryDetail(props: EntryDetailProps) {
  const { store, entry, route, epoch, entries, lookups, remark, closeHref } = props;
  const bodies = useBodies(entry, epoch);
  const group = groupOfEntry(entry, lookups);
  const now = useNow(entry.outcome === "pending");
  const top = useRef<HTMLElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    top.current?.scrollTo(0, 0);
    // Where the list is hidden, the focus would be lost with it.
    if (!isVisible(document.querySelector(".journal-list"))) title.current?.focus();
  }, [entry.id]);
  const best = useMemo(() => {
    const retried = retriesIn(epoch, entries).get(itemKey(epoch, entry.id));
    return bestToCompare(entry, entries, retried, (one) => groupOfEntry(one, lookups).groupId);
  }, [entry, entries, epoch, lookups]);
  const compare = (compared: ComparedEntry | undefined) => ({ ...route, epoch, compared });
  return (
    <article class="entry" ref={top} aria-label={`Request ${entry.id}`}>
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
            {entry.outcome === "pending" ? `under way for ${elapsedText(entry, now)}` : durationText(entry)}
          </span>
          <time dateTime={entry.at}>{timeText(entry)}</time>
          {entry.effect !== "none" && <span>{entry.effect}</span>}
          {entry.delivery !== undefined && entry.delivery !== "complete" && (
            <span>{deliveryWords[entry.delivery]}</span>
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
        <Actions store={store} entry={entry} epoch={epoch} bodies={bodies} />
      </header>
      <Why entry={entry} epoch={epoch} />
      {route.compared === undefined ? (
        <>
          {best !== undefined && (
            <p>
              <a href={hashOf(compare({ epoch: undefined, id: best.other.id }))}>
                Compare with #{best.other.id}, {best.words}
              </a>
            </p>
          )}
          <Sides store={store} entry={entry} bodies={bodies} />
        </>
      ) : (
        <>
          <p>
            <a href={hashOf(compare(undefined))}>Do not compare</a>
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
      <Life store={store} entry={entry} group={group} epoch={epoch} entries={entries} lookups={lookups} />
      <Assumed assumed={entry.assumed} store={store} />
    </article>
  );
}

function isVisible(element: Element | null): boolean {
  return element instanceof HTMLElement && element.offsetParent !== null;
}

interface ActionsProps {
  readonly store: WorldStore;
  readonly entry: JournalEntry;
  readonly epoch: number | undefined;
  readonly bodies: RequestBody | undefined;
}

function Actions({ store, entry, epoch, bodies }: ActionsProps) {
  const call = repeatedCall(entry, bodies?.request ?? null, store.apiToken);
  const what = (form: string) =>
    [form, ...call.remarks.map((remark) => remark.replace(/\.$/, ""))].join(". ");
  const isReady = bodies !== undefined;
  return (
    <div class="actions">
      {!isReport && (
        <>
          <button
            type="button"
            disabled={!isReady}
            title="Send this request again, as it was"
            onClick={() => sendCallAgain(store, call)}
          >
            Send again
          </button>
          <a class="button" href={hashOf({ epoch, entry: entry.id, sends: true })}>
            Edit and send
          </a>
        </>
      )}
      <CopyButton store={store} text={asCurl(call)} what={what("as curl")} isReady={isReady}>
        Copy as curl
      </CopyButton>
      <CopyButton store={store} text={asJavaScript(call)} what={what("as JavaScript")} isReady={isReady}>
        Copy as JavaScript
      </CopyButton>
      <CopyButton store={store} text={asTest(entry)} what="lines for a test">
        Copy as test
      </CopyButton>
      <CopyButton
        store={store}
        text={`${location.href.split("#")[0]}${hashOf({ epoch, entry: entry.id })}`}
        what="the link"
      >
        Copy link
      </CopyButton>
    </div>
  );
}

/** Why a call did not end well, in a sentence; the notes of one that did. */
function Why({ entry, epoch }: { readonly entry: JournalEntry; readonly epoch: number | undefined }) {
  const why = whyOf(entry);
  const { code } = factsOf(entry);
  if (why === undefined && entry.notes.length === 0) return null;
  const details = detailsOf(entry);
  const texts = why === undefined ? entry.notes : [withoutDetails(why, details)];
  return (
    <section class={`why ${entry.outcome}`} aria-label="Why">
      {code !== undefined && <code>{code}</code>}
      {texts.map((text) => (
        <Cause text={text} epoch={epoch} />
      ))}
      {details.length > 0 && (
        <ul aria-label="Problems of the body">
          {details.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              <code>{path || "/"}</code> {message}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

type Detail = { readonly path: string; readonly message: string };

/** The problems of a body, as the response lists them. */
function detailsOf({ response }: JournalEntry): readonly Detail[] {
  const details = fieldOf(fieldOf(response?.body, "error"), "details");
  return Array.isArray(details)
    ? details.map(({ path, message }) => ({ path: `${path}`, message: `${message}` }))
    : [];
}

/** The message of a response repeats its first details: the list has them all. */
function withoutDetails(text: string, [first]: readonly Detail[]): string {
  const from = first === undefined ? -1 : text.indexOf(`${first.path || "it"} ${first.message}`);
  return from < 0 ? text : text.slice(0, from).trimEnd();
}

/** Turns “request 9” into a link to that entry. */
function Cause({ text, epoch }: { readonly text: string; readonly epoch: number | undefined }) {
  const parts = text.split(/\b(request \d+)\b/);
  return (
    <p>
      {parts.map((part, i) =>
        i % 2 === 1 ? <a href={hashOf({ epoch, entry: Number(part.split(" ")[1]) })}>{part}</a> : part,
      )}
    </p>
  );
}

interface GroupOfCall {
  readonly groupId: string | undefined;
  readonly teamId: number | undefined;
}

function GroupLink({ group: { groupId, teamId } }: { readonly group: GroupOfCall }) {
  if (groupId === undefined) return null;
  const name = <Name text={groupId} />;
  if (teamId === undefined) return <span class="group">{name}</span>;
  const group: GroupKey = { groupId, teamId };
  return (
    <a class="group" href={hashOf({ view: "groups", group })}>
      {name}
    </a>
  );
}

/** What a request changed in its group. */
function Changes({ changes }: { readonly changes: JournalEntry["changes"] | undefined }) {
  if (changes === undefined) return null;
  return (
    <section aria-label="Changes">
      <h3>Changes of the group</h3>
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

interface LifeProps {
  readonly store: WorldStore;
  readonly entry: JournalEntry;
  readonly group: GroupOfCall;
  readonly epoch: number | undefined;
  readonly entries: readonly JournalEntry[];
  readonly lookups: Lookups;
}

function Life({ store, entry, group: { groupId, teamId }, epoch, entries, lookups }: LifeProps) {
  if (groupId === undefined || teamId === undefined) return null;
  const isNow = epoch === store.known.epoch;
  const steps = lifeOf({ groupId, teamId }, isNow ? store.known.groups : [], entries, lookups);
  if (steps.length < 2) return null;
  return (
    <section class="life-of" aria-label="Life of the group">
      <h3>
        Life of <Name text={groupId} />
      </h3>
      <LifeLine steps={steps} epoch={epoch} entry={entry.id} />
    </section>
  );
}

function Assumed({
  assumed,
  store,
}: {
  readonly assumed: JournalEntry["assumed"];
  readonly store: WorldStore;
}) {
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
