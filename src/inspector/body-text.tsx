import { Fragment } from "preact";
import { useMemo, useState } from "preact/hooks";
import { counted } from "../foundation/grammar.js";
import type { Problem } from "../generated/types.js";
import { CopyButton } from "./copy-button.js";
import { findLine, formatJson } from "./format-json.js";
import { cutLine, maxLength, RequestLink, ShowAll, showInvisible } from "./shown-text.js";

/** A token that is in the body. */
export interface TracedToken {
  readonly token: string;
  /** The earlier request that issued it, if it is known. */
  readonly issuer: number | undefined;
}

interface BodyTextProps {
  readonly sent: string;
  /** What is wrong with it. */
  readonly problems: readonly Problem[];
  readonly tokens: readonly TracedToken[];
}

/** A string of JSON that is too long: what is shown of it, and the rest. */
const longString = new RegExp(`("(?:[^"\\\\]|\\\\.){${maxLength}})(?:[^"\\\\]|\\\\.)+"`, "g");
/** More lines would make the page slow. */
const maxLines = 200;

/** Shows JSON indented, without changing a character of its tokens. Other text is shown unchanged. */
export function BodyText({ sent, problems, tokens }: BodyTextProps) {
  const [isWhole, setIsWhole] = useState(false);
  const lines = useMemo(() => formatJson(sent).split("\n"), [sent]);
  const shown = isWhole ? lines : lines.slice(0, maxLines).map(cutStrings);
  const isCut = shown.length < lines.length || shown.some((text, i) => text !== lines[i]);
  const remarks = problems.map(({ path, message }) => {
    const { line, exists } = findLine(lines, path);
    return { line, text: exists ? message : `${path} ${message}` };
  });
  return (
    <>
      <pre class="body">
        {shown.map((text, i) => (
          <Fragment key={i}>
            {i > 0 && "\n"}
            <Line
              text={text}
              remarks={remarks.filter(({ line }) => line === i).map((remark) => remark.text)}
              token={tokens.find(({ token }) => text.includes(`"${token}"`))}
            />
          </Fragment>
        ))}
      </pre>
      {isCut && <ShowAll what={counted(sent.length, "character")} show={() => setIsWhole(true)} />}
    </>
  );
}

function cutStrings(text: string): string {
  return cutLine(text.replace(longString, '$1…"'));
}

interface LineProps {
  readonly text: string;
  readonly remarks: readonly string[];
  readonly token: TracedToken | undefined;
}

function Line({ text, remarks, token }: LineProps) {
  const isWrong = remarks.length > 0;
  return (
    <>
      {isWrong ? <mark>{showInvisible(text)}</mark> : showInvisible(text)}
      {isWrong && <b class="problem"> ← {remarks.join("; ")}</b>}
      {token !== undefined && (
        <>
          {" "}
          <CopyButton text={token.token} what="the token" />
          {token.issuer !== undefined && (
            <small>
              from <RequestLink id={token.issuer} />
            </small>
          )}
        </>
      )}
    </>
  );
}
