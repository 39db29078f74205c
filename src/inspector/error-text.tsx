import { useMemo, useState } from "preact/hooks";
import { counted } from "../foundation/grammar.js";
import { readSigns } from "../report/error-sides.js";
import { cutLine, ShowAll, showInvisible } from "./shown-text.js";

/** Further lines of an error are shown on request. */
const maxLines = 12;

/** The error of a test as its framework prints it. What the test expected and what it received have a colour each. */
export function ErrorText({ text }: { readonly text: string }) {
  const [isWhole, setIsWhole] = useState(false);
  const lines = useMemo(() => text.split("\n"), [text]);
  const sides = useMemo(() => readSigns(lines) ?? [], [lines]);
  const shown = isWhole ? lines : lines.slice(0, maxLines).map(cutLine);
  const isCut = shown.length < lines.length || shown.some((line, i) => line !== lines[i]);
  return (
    <section aria-label="Error">
      <pre>
        {shown.map((line, i) => (
          <span key={i} class={sides[i] ?? namedSide(line)}>
            {showInvisible(line)}
            {"\n"}
          </span>
        ))}
      </pre>
      {isCut && <ShowAll what={counted(lines.length, "line")} show={() => setIsWhole(true)} />}
    </section>
  );
}

/** What an error without a difference calls the two sides. */
function namedSide(line: string): "expected" | "received" | undefined {
  if (/^\s*Expected\b.*: /.test(line)) return "expected";
  return /^\s*Received\b.*: /.test(line) ? "received" : undefined;
}
