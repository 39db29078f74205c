import type { JournalEntry, RequestBody } from "../generated/types.js";
import { textOf } from "./bodies.js";
import { JsonText } from "./json-text.js";
import { Name } from "./visible-text.js";
import { statusText } from "./words.js";

interface SidesProps {
  readonly entry: JournalEntry;
  /** Undefined while they are loaded. */
  readonly bodies: RequestBody | undefined;
}

/** Request and response of a call, side by side. */
export function Sides({ entry, bodies }: SidesProps) {
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
          bodies && <JsonText sent={bodies.request ?? textOf(request.body)} label="Request body" />
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
              bodies && <JsonText sent={bodies.response ?? textOf(response.body)} label="Response body" />
            )}
            <HeaderList headers={response.headers} />
          </>
        )}
      </section>
    </div>
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
