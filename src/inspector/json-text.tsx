import { useMemo, useState } from "preact/hooks";
import { formatJson } from "../foundation/format-json.js";
import { parseJson } from "../foundation/json.js";
import { marked } from "./visible-text.js";

/** Highlighting a longer text would make the page slow. */
const maxLength = 20_000;

const tokens = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Shows JSON indented and highlighted, character by character as it was sent. Shows other text as it is. */
export function JsonText({ sent, label }: { readonly sent: string; readonly label: string }) {
  const [all, setAll] = useState(false);
  const text = useMemo(() => formatJson(sent), [sent]);
  const isText = parseJson(sent) === undefined;
  const shown = all ? text : text.slice(0, maxLength);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard. */}
      <section class="json" tabIndex={0} aria-label={label}>
        <pre>{isText || all ? marked(shown) : highlight(shown)}</pre>
      </section>
      {shown.length < text.length && (
        <button type="button" onClick={() => setAll(true)}>
          Show all {text.length.toLocaleString("en")} characters
        </button>
      )}
    </>
  );
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
