import { useMemo, useState } from "preact/hooks";
import { parseJson } from "../foundation/json.js";
import { formatJson } from "./format-json.js";
import { jsonErrorAt } from "./json-error.js";
import { marked } from "./visible-text.js";

/** Highlighting a longer text would make the page slow. */
const maxLength = 20_000;

const tokens = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

interface JsonTextProps {
  readonly sent: string;
  readonly label: string;
  /** Whether the text should be JSON: then the place is marked where it is not. */
  readonly isJson?: boolean;
  /** Shows it on its lines, as it was sent. */
  readonly isRaw?: boolean;
}

/** Shows JSON indented and highlighted, character by character as it was sent. Shows other text as it is. */
export function JsonText({ sent, label, isJson = false, isRaw = false }: JsonTextProps) {
  const [all, setAll] = useState(false);
  const text = useMemo(() => (isRaw ? sent : formatJson(sent)), [sent, isRaw]);
  const isText = useMemo(() => parseJson(sent) === undefined, [sent]);
  const errorAt = useMemo(() => (isJson && isText ? jsonErrorAt(sent) : undefined), [sent, isJson, isText]);
  const shown = all ? text : text.slice(0, Math.max(maxLength, (errorAt ?? 0) + 200));
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard. */}
      <section class="json" tabIndex={0} aria-label={label}>
        <pre>
          {errorAt !== undefined
            ? withMark(shown, errorAt)
            : isText || isRaw || all
              ? marked(shown)
              : highlight(shown)}
        </pre>
      </section>
      {errorAt !== undefined && <p class="json-error">{errorWords(sent, errorAt)}</p>}
      {shown.length < text.length && (
        <button type="button" onClick={() => setAll(true)}>
          Show all {text.length.toLocaleString("en")} characters
        </button>
      )}
    </>
  );
}

function withMark(text: string, at: number) {
  const character = text.slice(at, at + 1);
  return [
    marked(text.slice(0, at)),
    <mark>{character === "" ? "⏎" : character === "\n" ? "⏎\n" : marked(character)}</mark>,
    marked(text.slice(at + 1)),
  ];
}

function errorWords(text: string, at: number): string {
  const lines = text.slice(0, at).split("\n");
  const place = `line ${lines.length}, column ${(lines.at(-1) ?? "").length + 1}`;
  return at >= text.length ? `The JSON ends too early, at ${place}.` : `Not JSON from ${place} on.`;
}

function highlight(text: string) {
  const parts = [];
  let from = 0;
  for (const match of text.matchAll(tokens)) {
    const [whole, string, colon] = match;
    if (match.index > from) parts.push(text.slice(from, match.index));
    const kind = string === undefined ? (/^[tfn]/.test(whole) ? "word" : "number") : colon ? "key" : "string";
    parts.push(<span class={kind}>{string === undefined ? whole : marked(string)}</span>, colon ?? "");
    from = match.index + whole.length;
  }
  parts.push(text.slice(from));
  return parts;
}
