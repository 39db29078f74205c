import { effects } from "../fake/contract/effects.js";
import { asSentence, counted, durationWords } from "../foundation/grammar.js";
import type { GroupName, JournalEntry, RequestBody } from "../generated/types.js";
import { CopyButton } from "./copy-button.js";
import { asCurl, asTest, faultLike, repeatableRequest, usedUrl } from "./copy-request.js";
import { lifeOf } from "./group-life.js";
import { Menu } from "./menu.js";
import { overlap } from "./overlaps.js";
import { groupKey, kindOf, remarksOf, tokensOf, tookEffect } from "./request-facts.js";
import type { Shown } from "./shown-test.js";
import { Name, RequestLink, RequestLinks } from "./shown-text.js";
import { useStore } from "./store.js";
import { useBodies, Wire } from "./wire.js";
import { kindWords, requestName, shorten, statusText, timeText } from "./words.js";

interface PartProps {
  readonly entry: JournalEntry;
  readonly shown: Shown;
}

interface RequestDetailProps extends PartProps {
  /** Whether the verdict has its cause already. */
  readonly isExplained: boolean;
}

/** One request: why it ended as it did, what went over the wire, and what happened to its group. */
export function RequestDetail({ entry, shown, isExplained }: RequestDetailProps) {
  const store = useStore();
  const bodies = useBodies(entry, shown.test.epoch);
  const { at, durationMs } = entry;
  const kind = kindOf(entry);
  return (
    <article class={`detail ${kind}`} aria-label={`Request ${entry.id}`}>
      <header>
        <a class="back" href={store.requestHref(undefined)} title="Close (Esc)">
          <span aria-hidden="true">‹</span> Back
        </a>
        <h3>
          #{entry.id} <Name text={requestName(entry)} />
        </h3>
        <span class="code">{statusText(entry)}</span>
        {kindWords[kind].toLowerCase() !== statusText(entry) && <span>{kindWords[kind]}</span>}
        <small title={at}>
          {timeText(at)}
          {durationMs !== null && ` · ${durationWords(durationMs)}`}
        </small>
      </header>
      <WhatHappened entry={entry} shown={shown} isExplained={isExplained} />
      <Wire entry={entry} bodies={bodies} />
      <TokenLines entry={entry} shown={shown} />
      {entry.group !== undefined && <Life group={entry.group} entries={shown.entries} />}
      <AssumedChips entry={entry} shown={shown} />
      <Actions entry={entry} bodies={bodies} />
    </article>
  );
}

/** First the cause, unless the verdict has it, then what it means. */
function WhatHappened({ entry, shown, isExplained }: RequestDetailProps) {
  const store = useStore();
  const { fault, effect } = entry;
  const remarks = remarksOf(entry);
  const rivals = rivalsOf(entry, shown);
  const meaning = [
    ...(kindOf(entry) === "rejected" ? [asSentence(effects[effect].was)] : []),
    ...(rivals.length > 0 ? [`It overlapped ${rivals.join(", ")}.`] : []),
    ...entry.notes.slice(remarks.length).map(asSentence),
  ];
  const paragraphs = [...(isExplained ? [] : [firstSentence(entry)]), meaning.join(" "), ...remarks];
  return (
    <section class="why" aria-label="What happened">
      {paragraphs
        .filter((text) => text !== "")
        .map((text) => (
          <p key={text}>
            <RequestLinks text={text} />
          </p>
        ))}
      {store.canAct && fault !== null && kindOf(entry) === "waiting" && (
        <button type="button" onClick={() => store.changeFault("releaseFault", fault)}>
          Release
        </button>
      )}
    </section>
  );
}

function firstSentence(entry: JournalEntry): string {
  const { cause, fault, effect } = entry;
  if (kindOf(entry) === "waiting")
    return fault === null ? "It has no response yet." : `Fault ${fault} holds it.`;
  if (cause === null) return asSentence(effects[effect].was);
  const isStale = cause.code === "unknown_token" && cause.request !== undefined;
  return isStale ? `Stale token: #${cause.request} had rotated it.` : cause.message;
}

/** The requests of the same group that overlapped this one, with what they did. */
function rivalsOf(entry: JournalEntry, { entries, races }: Shown): readonly string[] {
  const race = races.find((ids) => ids.includes(entry.id)) ?? [];
  return entries
    .filter((other) => race.includes(other.id) && other.id !== entry.id && overlap(entry, other))
    .map((other) => `#${other.id}${tookEffect(other) ? `, which ${other.effect} it` : ""}`)
    .reverse();
}

/** Each token of the request and its response, with a link to the request that issued it. */
function TokenLines({ entry, shown }: PartProps) {
  return (
    <>
      {Object.entries(tokensOf(entry)).map(([field, token]) => {
        const issuer = shown.issuers.get(token);
        return (
          <p key={field} class="token">
            {field} <code title={token}>{shorten(token)}</code>{" "}
            <CopyButton text={token} what={`the ${field}`} />{" "}
            {issuer === undefined ? "" : issuer === entry.id ? "issued here" : "issued by "}
            {issuer !== undefined && issuer !== entry.id && <RequestLink id={issuer} />}
          </p>
        );
      })}
    </>
  );
}

/** The latest steps of a group with many requests. */
const maxSteps = 20;

interface LifeProps extends Pick<Shown, "entries"> {
  readonly group: GroupName;
}

/** What happened to a group, with a link to the request of each step. */
function Life({ group, entries }: LifeProps) {
  const steps = lifeOf(group, entries);
  if (steps.length === 0) return null;
  const hidden = Math.max(0, steps.length - maxSteps);
  return (
    <section class="life" aria-label="Life of the group">
      <b>
        <Name text={group.provided_id} />:
      </b>{" "}
      <ol>
        {hidden > 0 && <li>{counted(hidden, "earlier step")}</li>}
        {steps.slice(hidden).map(({ text, entry }) => (
          <li key={entry.id} class={kindOf(entry)}>
            {text} <RequestLink id={entry.id} />
          </li>
        ))}
      </ol>
    </section>
  );
}

/** How a rejection looks is not why it came. */
const looks = ["failure-status", "failure-body"];

/** The assumptions that decided the response. */
function AssumedChips({ entry, shown }: PartProps) {
  const store = useStore();
  const assumed = Object.entries(entry.assumed).filter(([id]) => !looks.includes(id));
  const hasView = shown.world !== undefined && store.views.includes("assumptions");
  if (assumed.length === 0) return null;
  return (
    <p class="assumed">
      Assumed:{" "}
      {assumed.map(([id, value]) => {
        const text = `${id}=${value}`;
        if (!hasView) return <span class="chip">{text}</span>;
        return (
          <a key={id} class="chip" href={store.viewHref({ name: "assumptions" })}>
            {text}
          </a>
        );
      })}
    </p>
  );
}

interface ActionsProps {
  readonly entry: JournalEntry;
  /** Undefined until they are loaded. */
  readonly bodies: RequestBody | undefined;
}

function Actions({ entry, bodies }: ActionsProps) {
  const store = useStore();
  const { canAct, url } = store;
  const repeatable = repeatableRequest(entry, bodies?.request ?? null);
  const { group } = entry;
  const arm = async () => {
    const { groups } = await store.admin("listGroups", {});
    const latest = groups.find((one) => group !== undefined && groupKey(one) === groupKey(group));
    await store.arm(faultLike(entry, latest?.token) ?? {});
  };
  return (
    <footer>
      <Menu label="Copy" isDisabled={bodies === undefined}>
        {url !== undefined && (
          <CopyButton
            text={asCurl(repeatable, usedUrl(entry, url))}
            what="as curl"
            remark={repeatable.remark}
          >
            as curl
          </CopyButton>
        )}
        <CopyButton text={asTest(entry)} what="lines for a test">
          as lines for a test
        </CopyButton>
      </Menu>
      {canAct && faultLike(entry) !== undefined && (
        <button type="button" onClick={() => store.act(arm)}>
          Fail next like this
        </button>
      )}
    </footer>
  );
}
