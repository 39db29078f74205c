import type { JournalEntry } from "../generated/types.js";
import { durationText, elapsedText } from "./words.js";

/** The time that the bars of a list span, in milliseconds since 1970. */
export interface TimeWindow {
  readonly from: number;
  readonly to: number;
}

/** From the begin of the first call to the end of the last one. */
export function timeWindow(entries: readonly JournalEntry[], now: number): TimeWindow {
  const from = Math.min(...entries.map(({ at }) => Date.parse(at)));
  const to = Math.max(...entries.map((entry) => endOfCall(entry, now)));
  return { from, to: Math.max(to, from + 1) };
}

function endOfCall({ at, durationMs }: JournalEntry, now: number): number {
  return durationMs === null ? Math.max(now, Date.parse(at)) : Date.parse(at) + durationMs;
}

interface BarProps {
  readonly entry: JournalEntry;
  readonly window: TimeWindow;
  readonly now: number;
}

/** When a call began and ended: bars of calls that overlapped stand above each other. */
export function Bar({ entry, window, now }: BarProps) {
  const begin = Date.parse(entry.at);
  const percent = (ms: number) => (100 * ms) / (window.to - window.from);
  const left = Math.min(99.5, percent(begin - window.from));
  const width = Math.min(100 - left, Math.max(0.5, percent(endOfCall(entry, now) - begin)));
  const isHeld = entry.notes.some((note) => / held the call /.test(note));
  const took =
    entry.durationMs === null ? `under way for ${elapsedText(entry, now)}` : `took ${durationText(entry)}`;
  return (
    <span
      class={`bar ${entry.outcome}${isHeld ? " held" : ""}`}
      style={{ marginLeft: `${left}%`, width: `${width}%` }}
      title={`began ${Math.round(begin - window.from)} ms after the first request shown, ${took}`}
    />
  );
}
