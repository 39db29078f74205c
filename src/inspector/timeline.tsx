import { useState } from "preact/hooks";
import type { JournalEntry } from "../generated/types.js";
import { clockText, durationText, elapsedText, millisecondsText, timeText } from "./texts.js";

/** The time that the bars of a list span, in milliseconds since 1970. */
export interface TimeWindow {
  readonly from: number;
  readonly to: number;
}

/** The share of the bars that fit into the window. The others, such as a long hold, may extend beyond it. */
const fittingShare = 0.8;

/**
 * From the start of the first request to the end of the last one. A few requests that took much longer than the others
 * are cut off, so that the others stay wide enough to read.
 */
export function fittingWindow(entries: readonly JournalEntry[], now: number): TimeWindow {
  const begins = entries.map(({ at }) => Date.parse(at));
  const ends = entries.map((entry) => endOfRequest(entry, now)).sort((a, b) => a - b);
  const from = Math.min(...begins);
  const last = ends.at(-1) ?? from;
  const usual = Math.max(...begins, ends[Math.floor((ends.length - 1) * fittingShare)] ?? from);
  // Bars are cut off only if that makes the others at least twice as wide.
  const to = last - from < 2 * (usual - from) ? last : usual + (usual - from) * 0.1;
  return { from, to: Math.max(to, from + 1) };
}

function endOfRequest({ at, durationMs }: JournalEntry, now: number): number {
  return durationMs === null ? Math.max(now, Date.parse(at)) : Date.parse(at) + durationMs;
}

interface BarProps {
  readonly entry: JournalEntry;
  readonly window: TimeWindow;
  readonly now: number;
  /** The id of the previous attempt. */
  readonly retried: number | undefined;
}

/** When a request began and ended. */
export function Bar({ entry, window, now, retried }: BarProps) {
  const [begin, end] = [Date.parse(entry.at), endOfRequest(entry, now)];
  const percent = (time: number) =>
    Math.min(100, Math.max(0, (100 * (time - window.from)) / (window.to - window.from)));
  const left = Math.min(99.5, percent(begin));
  const width = Math.min(100 - left, Math.max(0.5, percent(end) - left));
  const isHeld = entry.fault !== null && entry.cause === null;
  const took =
    entry.durationMs === null ? `pending for ${elapsedText(entry, now)}` : `took ${durationText(entry)}`;
  const beyond = [
    end < window.from ? "earlier" : "",
    begin > window.to ? "later" : "",
    end > window.to ? "cut" : "",
  ];
  // The tag goes to the side with more space.
  const tagPosition = left + width < 60 ? { left: `${left + width}%` } : { right: `${100 - left}%` };
  return (
    <span class="words track">
      <span
        class={`bar ${entry.outcome}${isHeld ? " held" : ""} ${beyond.join(" ").trim()}`}
        style={{ left: `${left}%`, width: `${width}%` }}
        title={`began at ${timeText(entry)}, ${took}`}
      />
      {retried !== undefined && (
        <span class="tag" style={tagPosition}>
          retry of #{retried}
        </span>
      )}
    </span>
  );
}

/** The window that is shown: the fitting one until the user zooms. */
export function useZoom(fitting: TimeWindow | undefined) {
  const [chosen, setChosen] = useState<TimeWindow>();
  const window = chosen ?? fitting;
  const scale = (factor: number, around: number | undefined) => {
    if (window === undefined) return;
    const length = Math.max(1, (window.to - window.from) * factor);
    // The selected request keeps its position, if it is in the window.
    const isIn = around !== undefined && around >= window.from && around <= window.to;
    const fixed = isIn ? around : (window.from + window.to) / 2;
    const from = fixed - (length * (fixed - window.from)) / (window.to - window.from);
    setChosen({ from, to: from + length });
  };
  const move = (share: number) => {
    if (window === undefined) return;
    const by = (window.to - window.from) * share;
    setChosen({ from: window.from + by, to: window.to + by });
  };
  return { window, isZoomed: chosen !== undefined, scale, move, choose: setChosen };
}

interface TimeAxisProps {
  readonly zoom: ReturnType<typeof useZoom>;
  /** When the selected request began. */
  readonly around: number | undefined;
  /** The width of the list in pixels. */
  readonly width: number;
}

/** The times above the bars. The buttons zoom, and so does dragging over a part of the axis. */
export function TimeAxis({ zoom, around, width }: TimeAxisProps) {
  const { window, isZoomed, scale, move, choose } = zoom;
  const [drag, setDrag] = useState<{ readonly start: number; readonly end: number }>();
  if (window === undefined) return null;
  const length = window.to - window.from;
  const ticks = ticksIn(window, Math.max(2, Math.floor(width / 220)));
  const shareAt = ({ currentTarget, clientX }: { currentTarget: HTMLElement; clientX: number }) => {
    const { left, width: axisWidth } = currentTarget.getBoundingClientRect();
    return Math.min(1, Math.max(0, (clientX - left) / axisWidth));
  };
  return (
    <div class="axis row">
      <span class="zoom">
        <button type="button" aria-label="Zoom in" onClick={() => scale(0.5, around)}>
          +
        </button>
        <button type="button" aria-label="Zoom out" onClick={() => scale(2, around)}>
          −
        </button>
        <button type="button" aria-label="Earlier" onClick={() => move(-0.5)}>
          ◂
        </button>
        <button type="button" aria-label="Later" onClick={() => move(0.5)}>
          ▸
        </button>
        <button type="button" disabled={!isZoomed} onClick={() => choose(undefined)}>
          Fit
        </button>
      </span>
      {/* The buttons make dragging accessible by keyboard. */}
      <span
        class="words ticks"
        title="Drag to zoom in"
        onPointerDown={(event) => {
          event.preventDefault();
          event.currentTarget.setPointerCapture(event.pointerId);
          setDrag({ start: shareAt(event), end: shareAt(event) });
        }}
        onPointerMove={(event) => drag && setDrag({ ...drag, end: shareAt(event) })}
        onPointerUp={() => {
          if (drag === undefined) return;
          const [start, end] = [Math.min(drag.start, drag.end), Math.max(drag.start, drag.end)];
          if (end - start > 0.01)
            choose({ from: window.from + start * length, to: window.from + end * length });
          setDrag(undefined);
        }}
      >
        {ticks.map((tick) => (
          <span key={tick.at} class="tick" style={{ left: `${(100 * (tick.at - window.from)) / length}%` }}>
            {tick.text}
          </span>
        ))}
        {drag !== undefined && (
          <span
            class="dragged"
            style={{
              left: `${100 * Math.min(drag.start, drag.end)}%`,
              width: `${100 * Math.abs(drag.end - drag.start)}%`,
            }}
          />
        )}
      </span>
      <time>{millisecondsText(length)}</time>
    </div>
  );
}

/** Round times in a window, about `count` of them. */
function ticksIn({ from, to }: TimeWindow, count: number) {
  const rough = (to - from) / count;
  const step = steps.find((one) => one >= rough) ?? rough;
  const first = Math.ceil(from / step) * step;
  return Array.from({ length: Math.max(0, Math.floor((to - first) / step) + 1) }, (_, i) => {
    const at = first + i * step;
    const time = new Date(at);
    return { at, text: step < 1_000 ? timeText({ at: time.toISOString() }) : clockText(time) };
  });
}

const steps = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200,
].map((step, i) => (i < 9 ? step : step * 1_000));
