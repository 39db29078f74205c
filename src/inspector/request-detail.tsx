import { useEffect, useRef } from "preact/hooks";
import { effects } from "../fake/contract/operations.js";
import { asSentence, durationWords } from "../foundation/grammar.js";
import type { JournalEntry } from "../generated/types.js";
import { isHold, waitText } from "../report/armed-faults.js";
import { faultNotesOf } from "../report/entry-facts.js";
import type { VerdictPart } from "../report/report-data.js";
import { verdictLines } from "../report/verdict.js";
import { whatHappened } from "../report/what-happened.js";
import { CopyButton } from "./copy-button.js";
import { asCurl, repeatableRequest, usedUrl } from "./copy-request.js";
import { lifeOf } from "./group-life.js";
import { Life } from "./life.js";
import { kindOf, remarksOf } from "./request-facts.js";
import type { Shown } from "./shown-test.js";
import { LongText, RequestLinks } from "./shown-text.js";
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
  const { url } = store;
  const bodies = useBodies(entry, shown.test.epoch);
  const repeatable = repeatableRequest(entry, bodies?.request ?? null);
  const { at, durationMs, group } = entry;
  const steps = group === undefined ? [] : lifeOf(group, shown.entries);
  const kind = kindOf(entry);
  const article = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isChosen) article.current?.focus({ preventScroll: true });
  }, [isChosen]);
  return (
    <article ref={article} class={`detail ${kind}`} aria-label={`Request ${entry.id}`} tabIndex={-1}>
      <header>
        <a class="back" href={store.requestHref(undefined)} title="Close">
          <span aria-hidden="true">‹</span> Back
        </a>
        <h3>
          #{entry.id} <LongText text={requestName(entry)} />
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
      {group !== undefined && steps.length > 0 && (
        <section aria-label="Life of the group">
          <b>
            <LongText text={group.provided_id || '""'} />:
          </b>{" "}
          <Life steps={steps} />
        </section>
      )}
      <Chips title="Known" chips={entry.known.map((row) => ({ row, text: row }))} shown={shown} />
      <Chips title="Assumed" chips={assumedBy(entry)} shown={shown} />
      {bodies !== undefined && url !== undefined && (
        <footer class="actions">
          <CopyButton
            text={asCurl(repeatable, usedUrl(entry, url))}
            what="as curl"
            remark={repeatable.remark}
          >
            Copy as curl
          </CopyButton>
        </footer>
      )}
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
    isExplained ? "" : firstSentence(entry, shown),
    wonText(entry, shown),
    ...ofFault,
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

function firstSentence(entry: JournalEntry, { entries, world }: Shown): string {
  const { cause, effect } = entry;
  if (kindOf(entry) === "waiting") return `It ${waitText(entry, world?.faults ?? [])}.`;
  if (cause === null) return asSentence(effects[effect].was);
  if (cause.code !== "unknown_token" || cause.request === undefined) return cause.message;
  const { what, advice } = whatHappened(entry, entries, world?.faults ?? []);
  return textOf([...what, ". ", advice]);
}

function textOf(parts: readonly VerdictPart[]): string {
  return verdictLines({ parts, faults: [] }).join(" ");
}

/** What is said of a request that won a race. The cause of the other one says it already. */
function wonText(entry: JournalEntry, { entries }: Shown): string {
  const loser = entries.find(({ cause }) => cause?.concurrent && cause.request === entry.id);
  return loser === undefined ? "" : `${textOf(whatHappened(loser, entries, []).what)}.`;
}

/** A row of the view of assumptions, and what a chip shows of it. */
interface RowChip {
  readonly row: string;
  readonly text: string;
}

/** How a rejection looks is not why it came. */
const looks = ["failure-status", "failure-body"];

function assumedBy({ assumed }: JournalEntry): RowChip[] {
  const why = Object.entries(assumed).filter(([id]) => !looks.includes(id));
  return why.map(([id, value]) => ({ row: id, text: `${id}=${value}` }));
}

interface ChipsProps {
  readonly title: "Known" | "Assumed";
  readonly chips: readonly RowChip[];
  readonly shown: Shown;
}

/** What the profile gave of the response, or which assumptions decided it. They lead to their rows. */
function Chips({ title, chips, shown }: ChipsProps) {
  const store = useStore();
  const hasView = shown.world !== undefined && store.views.includes("assumptions");
  if (chips.length === 0) return null;
  return (
    <p class="assumed">
      {title}:
      {chips.map(({ row, text }) =>
        hasView ? (
          <a key={row} class="chip" href={store.viewHref({ name: "assumptions", row })}>
            {text}
          </a>
        ) : (
          <span key={row} class="chip">
            {text}
          </span>
        ),
      )}
    </p>
  );
}
