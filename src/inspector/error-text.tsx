import { useMemo, useState } from "preact/hooks";
import { counted } from "../foundation/grammar.js";
import { cutLine, ShowAll, showInvisible } from "./shown-text.js";

/** Further lines of an error are shown on request. */
const maxLines = 12;

/** The error of a test as its framework prints it. What the test expected and what it received have a colour each. */
export function ErrorText({ text }: { readonly text: string }) {
  const [isWhole, setIsWhole] = useState(false);
  const lines = useMemo(() => colourSides(text.split("\n")), [text]);
  const shown = isWhole ? lines : lines.slice(0, maxLines);
  const isCut = shown.length < lines.length || shown.some((line) => cutLine(line.text) !== line.text);
  return (
    <section aria-label="Error">
      <pre>
        {shown.map(({ text, side }, i) => (
          <span key={i} class={side}>
            {showInvisible(isWhole ? text : cutLine(text))}
            {"\n"}
          </span>
        ))}
      </pre>
      {isCut && !isWhole && <ShowAll what={counted(lines.length, "line")} show={() => setIsWhole(true)} />}
    </section>
  );
}

interface ErrorLine {
  readonly text: string;
  readonly side: "expected" | "received" | undefined;
}

/** A difference marks its lines with `-` and `+`, or as two blocks. Other errors name both sides. */
function colourSides(lines: readonly string[]): readonly ErrorLine[] {
  const start = lines.findIndex((line) => /^\s*(?:- Expected\b|\+ actual - expected)/.test(line));
  let block: ErrorLine["side"];
  return lines.map((text, i) => {
    if (start < 0 || i < start) return { text, side: namedSide(text) };
    if (/^\s*- Expected:$/.test(text)) block = "expected";
    if (/^\s*\+ Received:$/.test(text)) block = "received";
    return { text, side: signedSide(text) ?? block };
  });
}

function signedSide(line: string): ErrorLine["side"] {
  if (/^\s*\+ actual - expected/.test(line)) return undefined;
  if (line.startsWith("+")) return "received";
  return line.startsWith("-") ? "expected" : undefined;
}

function namedSide(line: string): ErrorLine["side"] {
  if (/^\s*Expected\b.*: /.test(line)) return "expected";
  return /^\s*Received\b.*: /.test(line) ? "received" : undefined;
}
