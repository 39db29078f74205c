import { useEffect, useRef } from "preact/hooks";
import { effects } from "../fake/contract/effects.js";
import { asSentence, counted, durationWords } from "../foundation/grammar.js";
import type { Fault, GroupName, JournalEntry, RequestBody } from "../generated/types.js";
import { isHold, waitText } from "../report/armed-faults.js";
import { faultNotesOf } from "../report/entry-facts.js";
import { CopyButton } from "./copy-button.js";
import { asCurl, asTest, faultLike, repeatableRequest, usedUrl } from "./copy-request.js";
import { lifeOf } from "./group-life.js";
import { overlap } from "./overlaps.js";
import { groupKey, kindOf, remarksOf, tookEffect } from "./request-facts.js";
import type { Shown } from "./shown-test.js";
import { Name, RequestLink, RequestLinks } from "./shown-text.js";
import { useStore } from "./store.js";
import { useBodies, Wire } from "./wire.js";
import { kindWords, requestName, statusText, timeText } from "./words.js";

interface PartProps {
  readonly entry: JournalEntry;
  readonly shown: Shown;
}

interface RequestDetailProps extends PartProps {
  /** Whether the reader opened it. Otherwise the verdict did. */
  readonly isChosen: boolean;
  /** Whether the verdict has its cause already. */
  readonly isExplained: boolean;
  /** The line of the verdict. */
  readonly verdict: string;
}

/** One request: why it ended as it did, what went over the wire, and what happened to its group. */
export function RequestDetail({ isChosen, ...props }: RequestDetailProps) {
  const { entry, shown } = props;
  const store = useStore();
  const bodies = useBodies(entry, shown.test.epoch);
  const { at, durationMs } = entry;
  const kind = kindOf(entry);
  const article = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isChosen) article.current?.focus({ preventScroll: true });
  }, [isChosen]);
  return (
    <article ref={article} class={`detail ${kind}`} aria-label={`Request ${entry.id}`} tabIndex={-1}>
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
      <WhatHappened {...props} />
      <Wire entry={entry} bodies={bodies} issuers={shown.issuers} />
      {entry.group !== undefined && <Life group={entry.group} entries={shown.entries} />}
      <Chips title="Known" texts={entry.known} shown={shown} />
      <Chips title="Assumed" texts={assumedTexts(entry)} shown={shown} />
      <Actions entry={entry} bodies={bodies} />
    </article>
  );
}

/** First the cause, unless the verdict has it, then what it means. Nothing is repeated; there may be nothing to say. */
function WhatHappened({ entry, shown, isExplained, verdict }: Omit<RequestDetailProps, "isChosen">) {
  const store = useStore();
  const { fault } = entry;
  const { faults = [] } = shown.world ?? {};
  const remarks = remarksOf(entry);
  const ofFault = faultNotesOf(entry).map(asSentence);
  const paragraphs = [
    isExplained ? "" : firstSentence(entry, faults),
    [overlapText(entry, shown), ...ofFault].join(" ").trim(),
    ...remarks.filter((remark) => !verdict.includes(remark)).map(asSentence),
  ].filter((text) => text !== "");
  const isHeld = kindOf(entry) === "waiting" && faults.some((one) => one.id === fault && isHold(one));
  const canRelease = store.canAct && fault !== null && isHeld;
  if (paragraphs.length === 0 && !canRelease) return null;
  return (
    <section class={isExplained ? "why" : "why cause"} aria-label="What happened">
      {paragraphs.map((text) => (
        <p key={text}>
          <RequestLinks text={text} />
        </p>
      ))}
      {canRelease && (
        <button type="button" onClick={() => store.changeFault("releaseFault", fault)}>
          Release
        </button>
      )}
    </section>
  );
}

function firstSentence(entry: JournalEntry, faults: readonly Fault[]): string {
  const { cause, effect } = entry;
  if (kindOf(entry) === "waiting") return `It ${waitText(entry, faults)}.`;
  if (cause === null) return asSentence(effects[effect].was);
  const isStale = cause.code === "unknown_token" && cause.request !== undefined;
  if (!isStale) return cause.message;
  return cause.concurrent
    ? `It lost a race: #${cause.request} rotated the token first.`
    : `Stale token: #${cause.request} had rotated it.`;
}

/** More requests are counted, not named. */
const maxNamed = 8;

/** The requests of the same group that overlapped this one: `It overlapped #2, which won.` */
function overlapText(entry: JournalEntry, { entries }: Shown): string {
  const rivals = entries.filter((other) => isAboutSameGroup(entry, other) && overlap(entry, other));
  // The cause says it already.
  if (rivals.length === 0 || entry.cause?.concurrent) return "";
  const winner = tookEffect(entry) ? undefined : rivals.find(tookEffect);
  if (winner !== undefined) return `It overlapped #${winner.id}, which won.`;
  if (rivals.length > maxNamed) return `It overlapped ${rivals.length} requests of this group.`;
  const names = rivals.map(({ id }) => `#${id}`).reverse();
  return `It overlapped ${names.join(", ")}.`;
}

function isAboutSameGroup({ id, group }: JournalEntry, other: JournalEntry): boolean {
  if (group === undefined || other.group === undefined || id === other.id) return false;
  return groupKey(group) === groupKey(other.group);
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

function assumedTexts({ assumed }: JournalEntry): string[] {
  const why = Object.entries(assumed).filter(([id]) => !looks.includes(id));
  return why.map(([id, value]) => `${id}=${value}`);
}

interface ChipsProps {
  readonly title: "Known" | "Assumed";
  readonly texts: readonly string[];
  readonly shown: Shown;
}

/** What the profile gave of the response, or which assumptions decided it. They lead to the view of assumptions. */
function Chips({ title, texts, shown }: ChipsProps) {
  const store = useStore();
  const hasView = shown.world !== undefined && store.views.includes("assumptions");
  if (texts.length === 0) return null;
  return (
    <p class="assumed">
      {title}:
      {texts.map((text) => {
        if (!hasView) return <span class="chip">{text}</span>;
        return (
          <a key={text} class="chip" href={store.viewHref({ name: "assumptions" })}>
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
    <footer class="actions">
      {bodies !== undefined && url !== undefined && (
        <CopyButton text={asCurl(repeatable, usedUrl(entry, url))} what="as curl" remark={repeatable.remark}>
          Copy as curl
        </CopyButton>
      )}
      <CopyButton text={asTest(entry)} what="lines for a test">
        Copy for a test
      </CopyButton>
      {canAct && faultLike(entry) !== undefined && (
        <button type="button" onClick={() => store.act(arm)}>
          Fail next like this
        </button>
      )}
    </footer>
  );
}
