import { useEffect, useRef } from "preact/hooks";
import { effects } from "../fake/contract/operations.js";
import { asSentence, durationWords } from "../foundation/grammar.js";
import type { JournalEntry } from "../generated/types.js";
import { isHold, waitText } from "../report/armed-faults.js";
import { faultNotesOf, kindOfRequest, remarksOf, requestName } from "../report/entry-facts.js";
import type { FailureVerdict, VerdictPart } from "../report/report-data.js";
import { decidedBy, whatHappened } from "../report/what-happened.js";
import { CopyButton } from "./copy-button.js";
import { asCurl, remarkOnCurl, usedUrl } from "./copy-request.js";
import { lifeOf } from "./group-life.js";
import { Life } from "./life.js";
import type { Shown } from "./shown-test.js";
import { LongText, Sentence } from "./shown-text.js";
import { useStore } from "./store.js";
import { useBodies, Wire } from "./wire.js";
import { kindWords, statusText, timeText } from "./words.js";

interface RequestDetailProps {
  readonly entry: JournalEntry;
  readonly shown: Shown;
  /** Whether the reader opened it. Otherwise the verdict did. */
  readonly isChosen: boolean;
  /** What is said of the test above its requests. */
  readonly verdict: FailureVerdict | undefined;
}

/** One request: why it ended as it did, what went over the wire, and what happened to its group. */
export function RequestDetail({ isChosen, ...props }: RequestDetailProps) {
  const { entry, shown } = props;
  const store = useStore();
  const { url } = store;
  const bodies = useBodies(entry, shown.test.epoch);
  const { at, durationMs, group } = entry;
  const steps = group === undefined ? [] : lifeOf(group, shown.entries);
  const kind = kindOfRequest(entry);
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
      <Chips title="Known" chips={entry.known.map((id) => ({ id, text: id }))} shown={shown} />
      <Chips title="Assumed" chips={decidedBy(entry)} shown={shown} />
      {bodies !== undefined && url !== undefined && (
        <footer class="actions">
          <CopyButton
            text={asCurl(entry, bodies.request, usedUrl(entry, url))}
            what="as curl"
            remark={remarkOnCurl(entry, bodies.request)}
          >
            Copy as curl
          </CopyButton>
        </footer>
      )}
    </article>
  );
}

/** First the cause, unless the verdict has it, then what it means. Nothing is repeated; there may be nothing to say. */
function WhatHappened({ entry, shown, verdict }: Omit<RequestDetailProps, "isChosen">) {
  const store = useStore();
  const { fault } = entry;
  const { faults = [] } = shown.world ?? {};
  const isExplained = verdict?.explains === true && verdict.request === entry.id;
  const isSaid = (remark: string) => verdict?.parts.some((part) => String(part).includes(remark));
  const notes = [...faultNotesOf(entry), ...remarksOf(entry).filter((remark) => !isSaid(remark))];
  const paragraphs = [
    isExplained ? [] : firstSentence(entry, shown),
    sentenceOfWinner(entry, shown),
    ...notes.map((note) => [asSentence(note)]),
  ].filter((parts) => parts.length > 0);
  const isHeld = kindOfRequest(entry) === "waiting" && faults.some((one) => one.id === fault && isHold(one));
  const canRelease = store.canAct && fault !== null && isHeld;
  if (paragraphs.length === 0 && !canRelease) return null;
  return (
    <section class={isExplained ? "why" : "why cause"} aria-label="What happened">
      {paragraphs.map((parts, i) => (
        <p key={i}>
          <Sentence parts={parts} />
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

function firstSentence(entry: JournalEntry, { entries, world }: Shown): readonly VerdictPart[] {
  const { cause, effect } = entry;
  if (kindOfRequest(entry) === "waiting") return [`It ${waitText(entry, world?.faults ?? [])}.`];
  if (cause === null) return [asSentence(effects[effect].was)];
  if (cause.code !== "unknown_token" || cause.request === undefined) return [cause.message];
  const { what, advice } = whatHappened(entry, entries, world?.faults ?? []);
  return [...what, `. ${advice}`];
}

/** What is said of a request that won a race. The cause of the other one says it already. */
function sentenceOfWinner({ id }: JournalEntry, { entries }: Shown): readonly VerdictPart[] {
  const loser = entries.find(({ cause }) => cause?.concurrent && cause.request === id);
  return loser === undefined ? [] : [...whatHappened(loser, entries, []).what, "."];
}

interface ChipsProps {
  readonly title: "Known" | "Assumed";
  /** A row of the view of assumptions, and what is shown of it. */
  readonly chips: readonly { readonly id: string; readonly text: string }[];
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
      {chips.map(({ id, text }) =>
        hasView ? (
          <a key={id} class="chip" href={store.viewHref({ name: "assumptions", row: id })}>
            {text}
          </a>
        ) : (
          <span key={id} class="chip">
            {text}
          </span>
        ),
      )}
    </p>
  );
}
