import { useMemo, useState } from "preact/hooks";
import { parseJson } from "../foundation/json.js";
import { formatJson } from "./format-json.js";
import { showInvisible } from "./shown-text.js";

/** A longer text would make the page slow. */
const maxLength = 20_000;

const tokens = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Shows JSON indented and highlighted, without changing a character of its tokens. Other text is shown unchanged. */
export function BodyText({ sent }: { readonly sent: string }) {
  const [all, setAll] = useState(false);
  const text = useMemo(() => formatJson(sent), [sent]);
  const isJson = useMemo(() => parseJson(sent) !== undefined, [sent]);
  const shown = all ? text : text.slice(0, maxLength);
  return (
    <>
      <pre class="body">{isJson && !all ? highlight(shown) : showInvisible(shown)}</pre>
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
    const kind = string === undefined ? "literal" : colon ? "key" : "string";
    parts.push(<span class={kind}>{string === undefined ? whole : showInvisible(string)}</span>, colon ?? "");
    from = match.index + whole.length;
  }
  parts.push(text.slice(from));
  return parts;
}
