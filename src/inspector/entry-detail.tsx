import { useEffect, useRef, useState } from "preact/hooks";
import type { JournalEntry, RequestBody } from "../contract/types.js";
import { admin } from "./admin-api.js";
import { CopyButton } from "./buttons.js";
import { curlOf } from "./curl.js";
import { factsOf, type GroupKey } from "./entry-facts.js";
import { JsonText } from "./json-text.js";
import type { LiveWorld } from "./live-world.js";
import { hashOf } from "./route.js";
import { deliveryWords, durationText, operationText, statusText, summarize, timeText } from "./words.js";

interface EntryDetailProps {
  readonly live: LiveWorld;
  readonly entry: JournalEntry;
  /** The earlier epoch that it belongs to. */
  readonly epoch: number | undefined;
  /** Why it is not in the journal of now. */
  readonly remark: string | undefined;
  readonly group: { readonly groupId: string | undefined; readonly teamId: number | undefined };
  readonly closeHref: string;
}

/** One call: request, response, causes and assumptions. */
export function EntryDetail({ live, entry, epoch, remark, group, closeHref }: EntryDetailProps) {
  const { request, response } = entry;
  const { causes, code } = factsOf(entry);
  const bodies = useBodies(entry, epoch);
  const top = useRef<HTMLElement>(null);
  useEffect(() => top.current?.scrollTo(0, 0), [entry.id]);
  return (
    <article class="entry" ref={top} aria-label={`Request ${entry.id}`}>
      <header>
        <h2>
          <span class={`status ${entry.outcome}`}>{statusText(entry)}</span>
          {operationText(entry)} <span class="id">#{entry.id}</span>
        </h2>
        <a class="close" href={closeHref} aria-label="Close">
          ✕
        </a>
        <p class="facts">
          <GroupLink group={group} />
          <span>{durationText(entry) || "not answered yet"}</span>
          <time dateTime={entry.at}>{timeText(entry)}</time>
          {entry.effect !== "none" && <span>{entry.effect}</span>}
          {entry.delivery !== undefined && entry.delivery !== "complete" && (
            <span>{deliveryWords[entry.delivery]}</span>
          )}
          {entry.fault !== null && <a href={hashOf({ view: "faults" })}>fault {entry.fault}</a>}
        </p>
        {remark !== undefined && <p class="remark">{remark}</p>}
        <div class="actions">
          <CurlButton live={live} entry={entry} bodies={bodies} />
          <CopyButton
            live={live}
            text={`${location.href.split("#")[0]}${hashOf({ epoch, entry: entry.id })}`}
            what="the link"
          >
            Copy link
          </CopyButton>
        </div>
      </header>
      {(causes.length > 0 || entry.outcome !== "success") && (
        <section class={`why ${entry.outcome}`} aria-label="Why">
          {code !== undefined && <code>{code}</code>}
          {causes.length === 0 ? (
            <p>{summarize(entry)}</p>
          ) : (
            causes.map((cause) => <Cause text={cause} epoch={epoch} />)
          )}
        </section>
      )}
      <div class="sides">
        <section aria-label="Request">
          <h3>
            Request <code>{`${request.method} ${request.path}`}</code>
          </h3>
          {request.body === null ? (
            <p class="none">No body was read.</p>
          ) : (
            bodies && <JsonText sent={bodies.request ?? textOf(request.body)} label="Request body" />
          )}
          <HeaderList headers={request.headers} />
        </section>
        <section aria-label="Response">
          <h3>
            Response <code>{statusText(entry)}</code>
          </h3>
          {response === null ? (
            <p class="none">{entry.outcome === "pending" ? "Not answered yet." : "No answer was sent."}</p>
          ) : (
            <>
              {response.body === null ? (
                <p class="none">Without a body.</p>
              ) : (
                bodies && <JsonText sent={bodies.response ?? textOf(response.body)} label="Response body" />
              )}
              <HeaderList headers={response.headers} />
            </>
          )}
        </section>
      </div>
      <Assumed assumed={entry.assumed} live={live} />
    </article>
  );
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

function GroupLink({ group: { groupId, teamId } }: { readonly group: EntryDetailProps["group"] }) {
  if (groupId === undefined) return null;
  if (teamId === undefined) return <span class="group">{groupId}</span>;
  const group: GroupKey = { groupId, teamId };
  return (
    <a class="group" href={hashOf({ view: "groups", group })}>
      {groupId}
    </a>
  );
}

function HeaderList({ headers }: { readonly headers: Readonly<Record<string, string>> }) {
  const all = Object.entries(headers);
  return (
    <details class="headers">
      <summary>{all.length} headers</summary>
      <dl>
        {all.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

function Assumed({ assumed, live }: { readonly assumed: JournalEntry["assumed"]; readonly live: LiveWorld }) {
  const decided = Object.entries(assumed);
  if (decided.length === 0) return null;
  return (
    <section class="assumed" aria-label="Assumed">
      <h3>Assumed, because it is not documented</h3>
      <ul>
        {decided.map(([id, value]) => {
          const known = live.known.assumptions.find((assumption) => assumption.id === id);
          const meaning = known?.values.find((one) => one.value === value)?.meaning;
          return (
            <li key={id}>
              <a href={hashOf({ view: "assumptions" })}>{`${id}=${value}`}</a>
              {meaning !== value && meaning}
              <p>{known?.question}</p>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

interface CurlButtonProps {
  readonly live: LiveWorld;
  readonly entry: JournalEntry;
  readonly bodies: RequestBody | undefined;
}

function CurlButton({ live, entry, bodies }: CurlButtonProps) {
  const apiToken = live.known.teams.flatMap(({ api_tokens }) => api_tokens)[0] ?? "";
  const { command, remarks } = curlOf(entry, bodies?.request ?? null, apiToken);
  const what = ["as curl", ...remarks].join(". ").replace(/\.$/, "");
  return (
    <CopyButton live={live} text={command} what={what} isReady={bodies !== undefined}>
      Copy as curl
    </CopyButton>
  );
}

/**
 * Both bodies as text, once they are loaded. Before the click on a button that copies them: browsers allow copying
 * only directly in the click handler.
 */
function useBodies(entry: JournalEntry, epoch: number | undefined): RequestBody | undefined {
  const [loaded, setLoaded] = useState<{ readonly of: JournalEntry; readonly bodies: RequestBody }>();
  useEffect(() => {
    let active = true;
    const show = (bodies: RequestBody) => active && setLoaded({ of: entry, bodies });
    admin("getRequestBody", { id: entry.id, query: epoch === undefined ? {} : { epoch } }).then(show, () => {
      // It is no longer in the journal: what is known of it is shown.
      const { request, response } = entry;
      show({ request: bodyText(request.body), response: bodyText(response?.body ?? null) });
    });
    return () => {
      active = false;
    };
  }, [entry, epoch]);
  return loaded?.of === entry ? loaded.bodies : undefined;
}

function bodyText(body: unknown): string | null {
  return body === null ? null : textOf(body);
}

function textOf(body: unknown): string {
  return typeof body === "string" ? body : JSON.stringify(body);
}
