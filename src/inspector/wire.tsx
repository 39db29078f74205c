import { useEffect, useState } from "preact/hooks";
import { counted } from "../foundation/grammar.js";
import { fieldOf } from "../foundation/json.js";
import type { JournalEntry, Problem, RequestBody } from "../generated/types.js";
import { kindOfRequest } from "../report/entry-facts.js";
import { plainText } from "../report/report-data.js";
import { BodyText, type TracedToken } from "./body-text.js";
import { usedUrl } from "./copy-request.js";
import { isReport } from "./embedded-report.js";
import { tokensOf } from "./request-facts.js";
import { LongText } from "./shown-text.js";
import { useStore } from "./store.js";

interface WireProps {
  readonly entry: JournalEntry;
  readonly bodies: RequestBody | undefined;
  /** Token → the request that issued it. */
  readonly issuers: ReadonlyMap<string, number>;
}

/** Request and response, side by side. */
export function Wire({ entry, bodies, issuers }: WireProps) {
  const { url } = useStore();
  const { request, response, delivery } = entry;
  const { method, path, headers } = request;
  const base = url === undefined || isReport ? "" : usedUrl(entry, url);
  const missing = kindOfRequest(entry) === "waiting" ? "No response yet" : "No response was sent.";
  const cut = delivery === "complete" ? "" : ", only a part was sent";
  const tokens = Object.values(tokensOf(entry)).map((token) => {
    const issuer = issuers.get(token);
    return { token, issuer: issuer === entry.id ? undefined : issuer };
  });
  return (
    <div class="wire">
      <Side
        title="Request"
        line={`${method} ${base}${path}`}
        headers={headers}
        sent={bodies?.request}
        problems={problemsOf(entry)}
        tokens={tokens}
        whenEmpty={Number(headers["content-length"] ?? 0) > 0 ? "The mock did not read the body." : "No body"}
      />
      <Side
        title="Response"
        line={response === null ? missing : `${response.status}${cut}`}
        headers={response?.headers ?? {}}
        sent={response === null ? null : bodies?.response}
        tokens={tokens}
        whenEmpty={response === null ? "" : "No body"}
      />
    </div>
  );
}

/** What is wrong with the body of the request, as the response describes it. A profile may describe it in its own way. */
function problemsOf({ cause, response }: JournalEntry): readonly Problem[] {
  const details = fieldOf(fieldOf(response?.body, "error"), "details");
  if (cause?.code !== "invalid_body" || !Array.isArray(details)) return [];
  return details.filter(
    (one) => typeof fieldOf(one, "path") === "string" && typeof fieldOf(one, "message") === "string",
  );
}

interface SideProps {
  readonly title: string;
  /** The request line, or the status. */
  readonly line: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Null: there is no body. Undefined: it is not loaded yet. */
  readonly sent: string | null | undefined;
  readonly problems?: readonly Problem[];
  readonly tokens: readonly TracedToken[];
  readonly whenEmpty: string;
}

/** A request or a response as it was on the wire. */
function Side({ title, line, headers, sent, problems = [], tokens, whenEmpty }: SideProps) {
  const all = Object.entries(headers);
  const folded = all.filter(([name]) => !shownHeaders.includes(name));
  return (
    <section class="side" aria-label={title}>
      <h4>{title}</h4>
      <p class="line">
        <LongText text={line} />
      </p>
      {sent === null && whenEmpty !== "" && <p class="none">{whenEmpty}</p>}
      {typeof sent === "string" && <BodyText sent={sent} problems={problems} tokens={tokens} />}
      <HeaderList headers={all.filter(([name]) => shownHeaders.includes(name))} />
      {folded.length > 0 && (
        <details>
          <summary>{counted(folded.length, all.length > folded.length ? "other header" : "header")}</summary>
          <HeaderList headers={folded} />
        </details>
      )}
    </section>
  );
}

/** The others are seldom what somebody looks for. */
const shownHeaders = ["authorization", "content-type"];

function HeaderList({ headers }: { readonly headers: readonly (readonly [name: string, value: string])[] }) {
  return (
    <dl>
      {headers.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <LongText text={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/**
 * Both bodies as text; undefined until they are loaded. They are loaded before a click on a copy button, because
 * browsers allow copying only synchronously in the click handler.
 */
export function useBodies(entry: JournalEntry, epoch: number): RequestBody | undefined {
  const { admin } = useStore();
  const [loaded, setLoaded] = useState<{ readonly of: JournalEntry; readonly bodies: RequestBody }>();
  useEffect(() => {
    let isActive = true;
    const { request, response } = entry;
    admin("getRequestBody", { id: entry.id, query: { epoch } })
      // The journal has dropped the entry, or the report does not include its texts.
      .catch(() => ({ request: plainText(request.body), response: plainText(response?.body) }))
      .then((bodies) => isActive && setLoaded({ of: entry, bodies }));
    return () => {
      isActive = false;
    };
  }, [entry, epoch]);
  return loaded?.of === entry ? loaded.bodies : undefined;
}
