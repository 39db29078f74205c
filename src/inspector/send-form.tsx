import { useEffect, useRef, useState } from "preact/hooks";
import type { JournalEntry, SendRequest } from "../generated/types.js";
import { admin } from "./admin-api.js";
import { useBodies } from "./bodies.js";
import { formatHeaders, invalidHeader, parseHeaders } from "./header-lines.js";
import { firstRequest, type RepeatableRequest, repeatableRequest } from "./repeatable-request.js";
import { go } from "./route.js";
import type { WorldStore } from "./world-store.js";

const offeredMethods = ["GET", "POST", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"];

interface SendFormProps {
  readonly store: WorldStore;
  /** The entry to start from; undefined to start from an example. */
  readonly entry: JournalEntry | undefined;
  readonly epoch: number | undefined;
  readonly closeHref: string;
}

export function SendForm({ store, entry, epoch, closeHref }: SendFormProps) {
  return (
    <article class="entry" aria-label="Send a request">
      <header>
        <h2>Send a request</h2>
        <a class="close" href={closeHref} aria-label="Close">
          ✕
        </a>
      </header>
      {entry === undefined ? (
        store.known.loaded && <RequestFields store={store} start={firstRequest(store.apiToken)} />
      ) : (
        <EntryFields store={store} entry={entry} epoch={epoch} />
      )}
    </article>
  );
}

interface EntryFieldsProps {
  readonly store: WorldStore;
  readonly entry: JournalEntry;
  readonly epoch: number | undefined;
}

function EntryFields({ store, entry, epoch }: EntryFieldsProps) {
  const bodies = useBodies(entry, epoch);
  if (bodies === undefined) return null;
  return <RequestFields store={store} start={repeatableRequest(entry, bodies.request, store.apiToken)} />;
}

interface RequestFieldsProps {
  readonly store: WorldStore;
  readonly start: RepeatableRequest;
}

function RequestFields({ store, start }: RequestFieldsProps) {
  const [request, setRequest] = useState({
    method: start.method,
    path: start.path,
    headers: formatHeaders(start.headers),
    text: start.text ?? "0".repeat(start.unreadBytes),
  });
  const first = useRef<HTMLSelectElement>(null);
  useEffect(() => first.current?.focus(), []);
  const change = (part: Partial<typeof request>) => setRequest({ ...request, ...part });
  return (
    <form
      class="send"
      onSubmit={(event) => {
        event.preventDefault();
        const { method, path, text } = request;
        const headers = parseHeaders(request.headers);
        if (Object.hasOwn(headers, "")) store.announce(invalidHeader, true);
        else
          void send(store, { method, path, headers: withoutDefaults(headers), ...(text !== "" && { text }) });
      }}
    >
      <div class="fields">
        <label class="method">
          Method
          <select
            ref={first}
            value={request.method}
            onChange={({ currentTarget }) => change({ method: currentTarget.value })}
          >
            {[...new Set([...offeredMethods, request.method])].map((method) => (
              <option key={method}>{method}</option>
            ))}
          </select>
        </label>
        <label>
          Path
          <input
            type="text"
            required
            spellcheck={false}
            value={request.path}
            onInput={({ currentTarget }) => change({ path: currentTarget.value })}
          />
        </label>
      </div>
      <label>
        Headers, one per line
        <textarea
          rows={4}
          spellcheck={false}
          value={request.headers}
          onInput={({ currentTarget }) => change({ headers: currentTarget.value })}
        />
      </label>
      <label>
        Body
        <textarea
          rows={10}
          spellcheck={false}
          value={request.text}
          onInput={({ currentTarget }) => change({ text: currentTarget.value })}
        />
      </label>
      {start.remarks.map((remark) => (
        <p key={remark} class="none">
          {remark}
        </p>
      ))}
      <button type="submit" class="primary">
        Send
      </button>
    </form>
  );
}

/** Sends a request again, unchanged. */
export function sendAgain(
  store: WorldStore,
  { method, path, headers, text, unreadBytes }: RepeatableRequest,
): void {
  const body = text ?? (unreadBytes > 0 ? "0".repeat(unreadBytes) : undefined);
  void send(store, {
    method,
    path,
    headers: withoutDefaults(headers),
    ...(body !== undefined && { text: body }),
  });
}

/** Sends a request, and opens its entry when the response has been sent. */
function send(store: WorldStore, request: SendRequest): Promise<void> {
  return store.act(async () => {
    store.announce("Sent. Waiting for the response.");
    const { id } = await admin("sendRequest", { body: request });
    store.announce(`Sent as request ${id}.`);
    go({ entry: id });
  });
}

/** Removes the headers that the mock adds by default, unless the user set them. */
function withoutDefaults(headers: Readonly<Record<string, string>>): Record<string, string | null> {
  const sent: Record<string, string | null> = { authorization: null, "content-type": null };
  for (const [name, value] of Object.entries(headers)) sent[name.toLowerCase()] = value;
  return sent;
}
