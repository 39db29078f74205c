import { useMemo, useState } from "preact/hooks";
import { parseJson } from "../foundation/json.js";
import { formatJson } from "./format-json.js";
import { jsonErrorAt } from "./json-error.js";
import { showInvisible } from "./shown-text.js";

/** Highlighting a longer text would make the page slow. */
const maxLength = 20_000;

const tokens = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

interface JsonTextProps {
  readonly sent: string;
  readonly label: string;
  /** Whether the text should be JSON, so that a syntax error is marked. */
  readonly isJson?: boolean;
  /** Whether to show the text without indentation. */
  readonly isRaw?: boolean;
}

/** Shows JSON indented and highlighted, without changing a character of its tokens. Other text is shown unchanged. */
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
            ? withErrorMark(shown, errorAt)
            : isText || isRaw || all
              ? showInvisible(shown)
              : highlight(shown)}
        </pre>
      </section>
      {errorAt !== undefined && <p class="json-error">{syntaxErrorText(sent, errorAt)}</p>}
      {shown.length < text.length && (
        <button type="button" onClick={() => setAll(true)}>
          Show all {text.length.toLocaleString("en")} characters
        </button>
      )}
    </>
  );
}

function withErrorMark(text: string, at: number) {
  const character = text.slice(at, at + 1);
  return [
    showInvisible(text.slice(0, at)),
    <mark>{character === "" ? "⏎" : character === "\n" ? "⏎\n" : showInvisible(character)}</mark>,
    showInvisible(text.slice(at + 1)),
  ];
}

function syntaxErrorText(text: string, at: number): string {
  const lines = text.slice(0, at).split("\n");
  const position = `line ${lines.length}, column ${(lines.at(-1) ?? "").length + 1}`;
  return at >= text.length ? `Unexpected end of JSON at ${position}.` : `Invalid JSON at ${position}.`;
}

function highlight(text: string) {
  const parts = [];
  let from = 0;
  for (const match of text.matchAll(tokens)) {
    const [whole, string, colon] = match;
    if (match.index > from) parts.push(text.slice(from, match.index));
    const kind = string === undefined ? (/^[tfn]/.test(whole) ? "word" : "number") : colon ? "key" : "string";
    parts.push(<span class={kind}>{string === undefined ? whole : showInvisible(string)}</span>, colon ?? "");
    from = match.index + whole.length;
  }
  parts.push(text.slice(from));
  return parts;
}
