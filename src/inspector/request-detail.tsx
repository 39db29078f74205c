import { useEffect, useState } from "preact/hooks";
import { effects } from "../contract/effects.js";
import { asSentence } from "../foundation/grammar.js";
import type { JournalEntry, RequestBody } from "../generated/types.js";
import { BodyText } from "./body-text.js";
import { CopyButton } from "./copy-button.js";
import { asCurl, asTest, faultLike, repeatableRequest, usedUrl } from "./copy-request.js";
import { lifeOf } from "./group-life.js";
import { Menu } from "./menu.js";
import { overlap } from "./overlaps.js";
import { type GroupKey, kindOf, remarksOf, tookEffect } from "./request-facts.js";
import { RequestLink, RequestLinks } from "./request-links.js";
import { go } from "./route.js";
import { Name } from "./shown-text.js";
import { type Shown, type Store, useStore } from "./store.js";
import {
  count,
  durationText,
  faultName,
  kindWords,
  requestName,
  shortCause,
  statusText,
  timeText,
} from "./words.js";

interface RequestDetailProps {
  readonly entry: JournalEntry;
  readonly shown: Shown;
}

/** One request: why it ended as it did, what went over the wire, and what happened to its group. */
export function RequestDetail({ entry, shown }: RequestDetailProps) {
  const store = useStore();
  const group = store.derived.groups.get(entry.id);
  const bodies = useBodies(entry, store, shown);
  const { at, durationMs, assumed } = entry;
  const kind = kindOf(entry);
  return (
    <article class={`detail ${kind}`} aria-label={`Request ${entry.id}`}>
      <header>
        <a class="back" href={store.requestHref(undefined)} title="Close (Esc)">
          <span aria-hidden="true">‹</span> Back
        </a>
        <h3>
          #{entry.id} <Name text={requestName(entry, group)} />
        </h3>
        <span class="code">{statusText(entry)}</span>
        {kindWords[kind].toLowerCase() !== statusText(entry) && <span>{kindWords[kind]}</span>}
        <small title={at}>
          {timeText(at)}
          {durationMs !== null && ` · ${durationText(durationMs)}`}
        </small>
      </header>
      <Explanation entry={entry} />
      <div class="wire">
        <Request entry={entry} sent={bodies?.request} />
        <Response entry={entry} sent={bodies?.response} />
      </div>
      {group !== undefined && <Life group={group} shown={shown} />}
      {Object.keys(assumed).length > 0 && (
        <p class="assumed">
          Assumed:{" "}
          {Object.entries(assumed).map(([id, value]) => (
            <span key={id}>
              {shown.world === undefined ? (
                <span class="chip">{`${id}=${value}`}</span>
              ) : (
                <a class="chip" href={store.viewHref({ name: "assumptions" })}>{`${id}=${value}`}</a>
              )}{" "}
            </span>
          ))}
        </p>
      )}
      <Actions entry={entry} group={group} sent={bodies?.request ?? null} />
    </article>
  );
}

/** First the cause, then what it means. */
function Explanation({ entry }: { readonly entry: JournalEntry }) {
  const store = useStore();
  const { cause, fault, effect } = entry;
  const rivals = rivalsOf(entry, store);
  const held = entry.notes.slice(remarksOf(entry).length);
  const first =
    kindOf(entry) === "waiting"
      ? fault === null
        ? "It has no response yet."
        : `Fault ${fault} holds it.`
      : cause === null
        ? asSentence(effects[effect].was)
        : causeText(entry);
  const meaning = [
    ...(kindOf(entry) === "rejected" ? [asSentence(effects[effect].was)] : []),
    ...(rivals.length > 0 ? [`It overlapped ${rivals.join(", ")}.`] : []),
    ...held.map(asSentence),
  ];
  return (
    <section class="why" aria-label="Cause">
      <p>
        <RequestLinks text={first} />
      </p>
      {meaning.length > 0 && (
        <p>
          <RequestLinks text={meaning.join(" ")} />
        </p>
      )}
      {remarksOf(entry).map((note) => (
        <p key={note} class="remark">
          {note}
        </p>
      ))}
      {store.canAct && fault !== null && kindOf(entry) === "waiting" && (
        <button
          type="button"
          onClick={() =>
            store.changeFaults(
              () => store.admin("releaseFault", { id: fault }),
              `Fault ${fault} was released.`,
            )
          }
        >
          Release
        </button>
      )}
    </section>
  );
}

function causeText({ cause }: JournalEntry): string {
  if (cause === null) return "";
  const { code, request, message } = cause;
  if (code === "unknown_token" && request !== undefined) {
    return `Stale token: #${request} had rotated it. Use the group's latest token.`;
  }
  const words = shortCause(cause);
  return code === "fault" || code === "caller-left" || message.toLowerCase().startsWith(words)
    ? message
    : `${words.charAt(0).toUpperCase()}${words.slice(1)}: ${message}`;
}

/** The requests of the same group that overlapped this one, with what they did. */
function rivalsOf(entry: JournalEntry, { derived: { entries, races } }: Store): readonly string[] {
  const race = races.find((ids) => ids.includes(entry.id)) ?? [];
  return entries
    .filter((other) => race.includes(other.id) && other.id !== entry.id && overlap(entry, other))
    .map((other) => `#${other.id}${tookEffect(other) ? `, which ${other.effect} it` : ""}`);
}

function Request({
  entry,
  sent,
}: {
  readonly entry: JournalEntry;
  readonly sent: string | null | undefined;
}) {
  const { url } = useStore();
  const { method, path, headers } = entry.request;
  return (
    <Side
      title="Request"
      line={`${method} ${url === undefined ? "" : usedUrl(entry, url)}${path}`}
      headers={headers}
      sent={sent}
      whenEmpty={Number(headers["content-length"] ?? 0) > 0 ? "The mock did not read the body." : "No body"}
    />
  );
}

function Response({
  entry,
  sent,
}: {
  readonly entry: JournalEntry;
  readonly sent: string | null | undefined;
}) {
  const { response, delivery } = entry;
  if (response === null) {
    const why = kindOf(entry) === "waiting" ? "No response yet" : "No response was sent.";
    return <Side title="Response" line={why} headers={{}} sent={null} whenEmpty="" />;
  }
  const isCut = delivery !== "complete";
  return (
    <Side
      title="Response"
      line={`${response.status}${isCut ? ", only a part was sent" : ""}`}
      headers={response.headers}
      sent={sent}
      whenEmpty="No body"
    />
  );
}

interface SideProps {
  readonly title: string;
  /** The request line, or the status. */
  readonly line: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Null: there is no body. Undefined: it is not loaded yet. */
  readonly sent: string | null | undefined;
  readonly whenEmpty: string;
}

/** A request or a response as it was on the wire. */
function Side({ title, line, headers, sent, whenEmpty }: SideProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard.
    <section class="side" aria-label={title} tabIndex={0}>
      <h4>{title}</h4>
      <p class="line">
        <Name text={line} isWhole />
      </p>
      <dl>
        {Object.entries(headers).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Name text={value} isWhole />
            </dd>
          </div>
        ))}
      </dl>
      {sent === undefined || sent === null ? (
        <p class="none">{sent === null && whenEmpty}</p>
      ) : (
        <BodyText sent={sent} />
      )}
    </section>
  );
}

/** What happened to a group, with a link to the request of each step. */
function Life({ group, shown }: { readonly group: GroupKey; readonly shown: Shown }) {
  const { entries, groups } = useStore().derived;
  const steps = lifeOf(group, entries, groups, shown.world?.groups ?? []);
  const hidden = Math.max(0, steps.length - maxSteps);
  return (
    <section class="life" aria-label="Life of the group">
      <b>
        <Name text={group.id} />:
      </b>{" "}
      <ol>
        {hidden > 0 && <li>{count(hidden, "earlier step")}</li>}
        {steps.slice(hidden).map(({ text, request, kind }) => (
          <li key={`${request} ${text}`} class={kind}>
            {text} {request !== undefined && <RequestLink id={request} />}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The latest steps of a group with many requests. */
const maxSteps = 20;

interface ActionsProps {
  readonly entry: JournalEntry;
  readonly group: GroupKey | undefined;
  readonly sent: string | null;
}

function Actions({ entry, group, sent }: ActionsProps) {
  const store = useStore();
  const { canAct, url } = store;
  const repeatable = repeatableRequest(entry, sent);
  const { remark, ...request } = repeatable;
  const fault = faultLike(entry, group);
  const sendAgain = async () => {
    const { text, ...head } = request;
    const { id } = await store.admin("sendRequest", {
      body: { ...head, ...(text !== undefined && { text }) },
    });
    const { place } = store.state.route;
    go({ place, view: { name: "requests", request: id } });
  };
  return (
    <footer>
      {canAct && (
        <button type="button" onClick={() => store.act(sendAgain, `Sent again.${remark}`)}>
          Send again
        </button>
      )}
      <Menu label="Copy">
        {url !== undefined && (
          <CopyButton text={asCurl(repeatable, usedUrl(entry, url))} what="as curl" remark={remark}>
            as curl
          </CopyButton>
        )}
        <CopyButton text={asTest(entry, group)} what="lines for a test">
          as lines for a test
        </CopyButton>
      </Menu>
      {canAct && fault !== undefined && (
        <button
          type="button"
          title={faultName(fault)}
          onClick={() =>
            store.changeFaults(() => store.admin("armFault", { body: fault }), `Armed: ${faultName(fault)}.`)
          }
        >
          Fail next like this
        </button>
      )}
    </footer>
  );
}

/**
 * Both bodies as text; undefined until they are loaded. They are loaded before a click on a copy button, because
 * browsers allow copying only synchronously in the click handler.
 */
function useBodies(entry: JournalEntry, store: Store, { test }: Shown): RequestBody | undefined {
  const [loaded, setLoaded] = useState<{ readonly of: JournalEntry; readonly bodies: RequestBody }>();
  useEffect(() => {
    let isActive = true;
    const show = (bodies: RequestBody) => isActive && setLoaded({ of: entry, bodies });
    store.admin("getRequestBody", { id: entry.id, query: { epoch: test.epoch } }).then(show, () => {
      // The entry is no longer in the journal. The parsed bodies are shown instead.
      const { request, response } = entry;
      show({ request: bodyText(request.body), response: bodyText(response?.body) });
    });
    return () => {
      isActive = false;
    };
  }, [entry, test.epoch]);
  return loaded?.of === entry ? loaded.bodies : undefined;
}

function bodyText(body: unknown): string | null {
  if (body === null || body === undefined) return null;
  return typeof body === "string" ? body : JSON.stringify(body);
}
