import { useMemo, useState } from "preact/hooks";
import { formatJson } from "./format-json.js";
import { showInvisible } from "./shown-text.js";

/** A longer text would make the page slow. */
const maxLength = 20_000;

/** Shows JSON indented, without changing a character of its tokens. Other text is shown unchanged. */
export function BodyText({ sent }: { readonly sent: string }) {
  const [all, setAll] = useState(false);
  const text = useMemo(() => formatJson(sent), [sent]);
  const shown = all ? text : text.slice(0, maxLength);
  return (
    <>
      <pre class="body">{showInvisible(shown)}</pre>
      {shown.length < text.length && (
        <button type="button" onClick={() => setAll(true)}>
          Show all {text.length.toLocaleString("en")} characters
        </button>
      )}
    </>
  );
}
