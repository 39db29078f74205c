import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { JournalEntry, RequestBody } from "../generated/types.js";
import { textOf } from "./bodies.js";
import { CopyButton } from "./buttons.js";
import { JsonText } from "./json-text.js";
import { Name } from "./shown-text.js";
import { statusText } from "./texts.js";
import type { WorldStore } from "./world-store.js";

interface RequestResponseProps {
  readonly store: WorldStore;
  readonly entry: JournalEntry;
  /** Undefined while they are loading. */
  readonly bodies: RequestBody | undefined;
}

/** Request and response side by side. */
export function RequestResponse({ store, entry, bodies }: RequestResponseProps) {
  const { request, response } = entry;
  return (
    <div class="sides">
      <Message
        store={store}
        title="Request"
        firstLine={`${request.method} ${request.path}`}
        message={request}
        text={bodies && (bodies.request ?? textOf(request.body))}
      >
        No body was read.
      </Message>
      <Message
        store={store}
        title="Response"
        firstLine={statusText(entry)}
        message={response}
        text={bodies && (bodies.response ?? textOf(response?.body))}
      >
        {response !== null
          ? "No body."
          : entry.outcome === "pending"
            ? "No response yet."
            : "No response was sent."}
      </Message>
    </div>
  );
}

interface MessageProps {
  readonly store: WorldStore;
  readonly title: "Request" | "Response";
  readonly firstLine: string;
  readonly message: Pick<JournalEntry["request"], "headers" | "body"> | null;
  /** The body; undefined while it is loading. */
  readonly text: string | undefined;
  /** Shown if there is no body. */
  readonly children: ComponentChildren;
}

function Message({ store, title, firstLine, message, text, children }: MessageProps) {
  return (
    <section aria-label={title}>
      <h3>
        {title} <code>{firstLine}</code>
      </h3>
      {message === null || message.body === null ? (
        <p class="none">{children}</p>
      ) : (
        text !== undefined && <BodyView store={store} title={title} message={message} text={text} />
      )}
      {message !== null && <HeaderList headers={message.headers} />}
    </section>
  );
}

interface BodyViewProps extends Pick<MessageProps, "store" | "title"> {
  readonly message: Pick<JournalEntry["request"], "headers">;
  readonly text: string;
}

/** A body, indented or raw. Copy always copies the exact text that was sent. */
function BodyView({ store, title, message, text }: BodyViewProps) {
  const [isRaw, setRaw] = useState(false);
  const name = title.toLowerCase();
  const isJson = /json/i.test(message.headers["content-type"] ?? "");
  return (
    <>
      <JsonText sent={text} label={`${title} body`} isJson={isJson} isRaw={isRaw} />
      <div class="body-tools">
        <button type="button" aria-pressed={isRaw} onClick={() => setRaw(!isRaw)}>
          Raw<span class="off-screen"> {name} body</span>
        </button>
        <CopyButton store={store} text={text} what={`the ${name} body`}>
          Copy body<span class="off-screen"> of the {name}</span>
        </CopyButton>
      </div>
    </>
  );
}

function HeaderList({ headers }: { readonly headers: Readonly<Record<string, string>> }) {
  const all = Object.entries(headers);
  return (
    <details class="headers">
      <summary>{all.length} headers</summary>
      <dl>
        {all.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Name text={value} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
