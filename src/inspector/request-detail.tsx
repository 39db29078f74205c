import type { JournalEntry, RequestBody } from "../generated/types.js";
import { CopyButton } from "./copy-button.js";
import { asCurl, asTest, faultLike, repeatableRequest, usedUrl } from "./copy-request.js";
import { Explanation } from "./explanation.js";
import { lifeOf } from "./group-life.js";
import { Menu } from "./menu.js";
import { type GroupKey, kindOf, tokensOf } from "./request-facts.js";
import { RequestLink } from "./request-links.js";
import { Name } from "./shown-text.js";
import type { Shown } from "./state.js";
import { useStore } from "./store.js";
import { useBodies, Wire } from "./wire.js";
import { count, durationText, faultName, kindWords, requestName, statusText, timeText } from "./words.js";

interface RequestDetailProps {
  readonly entry: JournalEntry;
  readonly shown: Shown;
  /** Whether the verdict has its cause already. */
  readonly isExplained: boolean;
}

/** How a rejection looks is not why it came. */
const looks = ["failure-status", "failure-body"];

/** One request: why it ended as it did, what went over the wire, and what happened to its group. */
export function RequestDetail({ entry, shown, isExplained }: RequestDetailProps) {
  const store = useStore();
  const group = store.derived.groups.get(entry.id);
  const bodies = useBodies(entry, store, shown);
  const { at, durationMs } = entry;
  const assumed = Object.entries(entry.assumed).filter(([id]) => !looks.includes(id));
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
      <Explanation entry={entry} isExplained={isExplained} />
      <Wire entry={entry} bodies={bodies} />
      <Tokens entry={entry} />
      {group !== undefined && <Life group={group} shown={shown} />}
      {assumed.length > 0 && (
        <p class="assumed">
          Assumed:{" "}
          {assumed.map(([id, value]) => (
            <span key={id}>
              {shown.world === undefined || !store.views.includes("assumptions") ? (
                <span class="chip">{`${id}=${value}`}</span>
              ) : (
                <a class="chip" href={store.viewHref({ name: "assumptions" })}>{`${id}=${value}`}</a>
              )}{" "}
            </span>
          ))}
        </p>
      )}
      <Actions entry={entry} group={group} bodies={bodies} />
    </article>
  );
}

/** Each token of the request and its response, with a link to the request that issued it. */
function Tokens({ entry }: { readonly entry: JournalEntry }) {
  const { issuers } = useStore().derived;
  return (
    <>
      {tokensOf(entry).map(([field, token]) => {
        const issuer = issuers.get(token);
        return (
          <p key={field} class="token">
            {field} <code title={token}>{token.slice(0, 8)}…</code>{" "}
            <CopyButton text={token} what={`the ${field}`} />{" "}
            {issuer === undefined ? "" : issuer === entry.id ? "issued here" : "issued by "}
            {issuer !== undefined && issuer !== entry.id && <RequestLink id={issuer} />}
          </p>
        );
      })}
    </>
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
  /** Undefined until they are loaded. */
  readonly bodies: RequestBody | undefined;
}

function Actions({ entry, group, bodies }: ActionsProps) {
  const store = useStore();
  const { canAct, url } = store;
  const repeatable = repeatableRequest(entry, bodies?.request ?? null);
  const { remark } = repeatable;
  const arm = async () => {
    const { groups } = await store.admin("listGroups", {});
    const latest = groups.find(
      ({ team_id, provided_id }) => team_id === group?.team && provided_id === group.id,
    );
    const fault = faultLike(entry, group, latest?.token) ?? {};
    await store.act(() => store.admin("armFault", { body: fault }), `Armed: ${faultName(fault)}.`);
  };
  return (
    <footer>
      <Menu label="Copy" isDisabled={bodies === undefined}>
        {url !== undefined && (
          <CopyButton text={asCurl(repeatable, usedUrl(entry, url))} what="as curl" remark={remark}>
            as curl
          </CopyButton>
        )}
        <CopyButton text={asTest(entry, group)} what="lines for a test">
          as lines for a test
        </CopyButton>
      </Menu>
      {canAct && faultLike(entry, group) !== undefined && (
        <button type="button" onClick={() => store.act(arm)}>
          Fail next like this
        </button>
      )}
    </footer>
  );
}
