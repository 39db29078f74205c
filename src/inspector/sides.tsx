import { useState } from "preact/hooks";
import type { JournalEntry, RequestBody } from "../generated/types.js";
import { textOf } from "./bodies.js";
import { CopyButton } from "./buttons.js";
import { JsonText } from "./json-text.js";
import { Name } from "./visible-text.js";
import { statusText } from "./words.js";
import type { WorldStore } from "./world-store.js";

interface SidesProps {
  readonly store: WorldStore;
  readonly entry: JournalEntry;
  /** Undefined while they are loaded. */
  readonly bodies: RequestBody | undefined;
}

/** Request and response of a call, side by side. */
export function Sides({ store, entry, bodies }: SidesProps) {
  const { request, response } = entry;
  return (
    <div class="sides">
      <section aria-label="Request">
        <h3>
          Request <code>{`${request.method} ${request.path}`}</code>
        </h3>
        {request.body === null ? (
          <p class="none">No body was read.</p>
        ) : (
          bodies && (
            <BodyView
              store={store}
              sent={bodies.request ?? textOf(request.body)}
              label="Request body"
              isJson={isJson(request.headers)}
            />
          )
        )}
        <HeaderList headers={request.headers} />
      </section>
      <section aria-label="Response">
        <h3>
          Response <code>{statusText(entry)}</code>
        </h3>
        {response === null ? (
          <p class="none">{entry.outcome === "pending" ? "Not answered yet." : "No answer was sent."}</p>
        ) : (
          <>
            {response.body === null ? (
              <p class="none">Without a body.</p>
            ) : (
              bodies && (
                <BodyView
                  store={store}
                  sent={bodies.response ?? textOf(response.body)}
                  label="Response body"
                  isJson={isJson(response.headers)}
                />
              )
            )}
            <HeaderList headers={response.headers} />
          </>
        )}
      </section>
    </div>
  );
}

interface BodyProps {
  readonly store: WorldStore;
  readonly sent: string;
  readonly label: string;
  readonly isJson: boolean;
}

/** A body, indented or as it was sent. What is copied is what was sent. */
function BodyView({ store, sent, label, isJson }: BodyProps) {
  const [isRaw, setRaw] = useState(false);
  return (
    <>
      <JsonText sent={sent} label={label} isJson={isJson} isRaw={isRaw} />
      <div class="body-tools">
        <button type="button" aria-pressed={isRaw} onClick={() => setRaw(!isRaw)}>
          Raw<span class="off-screen"> {label.toLowerCase()}</span>
        </button>
        <CopyButton store={store} text={sent} what={`the ${label.toLowerCase()}`}>
          Copy body<span class="off-screen"> of the {label.split(" ")[0]?.toLowerCase()}</span>
        </CopyButton>
      </div>
    </>
  );
}

function isJson(headers: Readonly<Record<string, string>>): boolean {
  return /json/i.test(headers["content-type"] ?? "");
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
