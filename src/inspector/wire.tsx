import { useEffect, useState } from "preact/hooks";
import type { JournalEntry, RequestBody } from "../generated/types.js";
import { plainText } from "../report/report-data.js";
import { BodyText } from "./body-text.js";
import { usedUrl } from "./copy-request.js";
import { kindOf } from "./request-facts.js";
import { Name } from "./shown-text.js";
import type { Shown } from "./state.js";
import { type Store, useStore } from "./store.js";

interface WireProps {
  readonly entry: JournalEntry;
  readonly bodies: RequestBody | undefined;
}

/** Request and response, side by side. */
export function Wire({ entry, bodies }: WireProps) {
  return (
    <div class="wire">
      <Request entry={entry} sent={bodies?.request} />
      <Response entry={entry} sent={bodies?.response} />
    </div>
  );
}

function Request({
  entry,
  sent,
}: {
  readonly entry: JournalEntry;
  readonly sent: string | null | undefined;
}) {
  const { url } = useStore();
  const { method, path, headers } = entry.request;
  return (
    <Side
      title="Request"
      line={`${method} ${url === undefined ? "" : usedUrl(entry, url)}${path}`}
      headers={headers}
      sent={sent}
      whenEmpty={Number(headers["content-length"] ?? 0) > 0 ? "The mock did not read the body." : "No body"}
    />
  );
}

function Response({
  entry,
  sent,
}: {
  readonly entry: JournalEntry;
  readonly sent: string | null | undefined;
}) {
  const { response, delivery } = entry;
  if (response === null) {
    const why = kindOf(entry) === "waiting" ? "No response yet" : "No response was sent.";
    return <Side title="Response" line={why} headers={{}} sent={null} whenEmpty="" />;
  }
  const isCut = delivery !== "complete";
  return (
    <Side
      title="Response"
      line={`${response.status}${isCut ? ", only a part was sent" : ""}`}
      headers={response.headers}
      sent={sent}
      whenEmpty="No body"
    />
  );
}

interface SideProps {
  readonly title: string;
  /** The request line, or the status. */
  readonly line: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Null: there is no body. Undefined: it is not loaded yet. */
  readonly sent: string | null | undefined;
  readonly whenEmpty: string;
}

/** A request or a response as it was on the wire. */
function Side({ title, line, headers, sent, whenEmpty }: SideProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard.
    <section class="side" aria-label={title} tabIndex={0}>
      <h4>{title}</h4>
      <p class="line">
        <Name text={line} isWhole />
      </p>
      <dl>
        {Object.entries(headers).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Name text={value} isWhole />
            </dd>
          </div>
        ))}
      </dl>
      {sent === undefined || sent === null ? (
        <p class="none">{sent === null && whenEmpty}</p>
      ) : (
        <BodyText sent={sent} />
      )}
    </section>
  );
}

/**
 * Both bodies as text; undefined until they are loaded. They are loaded before a click on a copy button, because
 * browsers allow copying only synchronously in the click handler.
 */
export function useBodies(entry: JournalEntry, store: Store, { test }: Shown): RequestBody | undefined {
  const [loaded, setLoaded] = useState<{ readonly of: JournalEntry; readonly bodies: RequestBody }>();
  useEffect(() => {
    let isActive = true;
    const show = (bodies: RequestBody) => isActive && setLoaded({ of: entry, bodies });
    store.admin("getRequestBody", { id: entry.id, query: { epoch: test.epoch } }).then(show, () => {
      // The journal has dropped the entry, or the text is what follows from the parsed body.
      const { request, response } = entry;
      show({ request: plainText(request.body), response: plainText(response?.body) });
    });
    return () => {
      isActive = false;
    };
  }, [entry, test.epoch]);
  return loaded?.of === entry ? loaded.bodies : undefined;
}
