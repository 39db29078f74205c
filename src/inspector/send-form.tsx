import { useEffect, useRef, useState } from "preact/hooks";
import type { JournalEntry, SendRequest } from "../generated/types.js";
import { admin } from "./admin-api.js";
import { useBodies } from "./bodies.js";
import { headersIn, linesOf, noHeader } from "./header-lines.js";
import { firstCall, type RepeatedCall, repeatedCall } from "./repeated-call.js";
import { go } from "./route.js";
import type { WorldStore } from "./world-store.js";

const offeredMethods = ["GET", "POST", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"];

interface SendFormProps {
  readonly store: WorldStore;
  /** The call to start from; without it, an example. */
  readonly entry: JournalEntry | undefined;
  readonly epoch: number | undefined;
  readonly closeHref: string;
}

/** A call to send: from an entry, or from nothing. */
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
        store.known.loaded && <CallFields store={store} start={firstCall(store.apiToken)} />
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
  return bodies && <CallFields store={store} start={repeatedCall(entry, bodies.request, store.apiToken)} />;
}

function CallFields({ store, start }: { readonly store: WorldStore; readonly start: RepeatedCall }) {
  const [call, setCall] = useState({
    method: start.method,
    path: start.path,
    headers: linesOf(start.headers),
    text: start.text ?? "0".repeat(start.unreadBytes),
  });
  const first = useRef<HTMLSelectElement>(null);
  useEffect(() => first.current?.focus(), []);
  const change = (part: Partial<typeof call>) => setCall({ ...call, ...part });
  return (
    <form
      class="send"
      onSubmit={(event) => {
        event.preventDefault();
        const { method, path, text } = call;
        const headers = headersIn(call.headers);
        if (Object.hasOwn(headers, "")) store.announce(noHeader, true);
        else void send(store, { method, path, headers: onlyThese(headers), ...(text !== "" && { text }) });
      }}
    >
      <div class="fields">
        <label class="method">
          Method
          <select
            ref={first}
            value={call.method}
            onChange={({ currentTarget }) => change({ method: currentTarget.value })}
          >
            {[...new Set([...offeredMethods, call.method])].map((method) => (
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
            value={call.path}
            onInput={({ currentTarget }) => change({ path: currentTarget.value })}
          />
        </label>
      </div>
      <label>
        Headers, one a line
        <textarea
          rows={4}
          spellcheck={false}
          value={call.headers}
          onInput={({ currentTarget }) => change({ headers: currentTarget.value })}
        />
      </label>
      <label>
        Body
        <textarea
          rows={10}
          spellcheck={false}
          value={call.text}
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

/** Makes a call as it was. */
export function sendCallAgain(
  store: WorldStore,
  { method, path, headers, text, unreadBytes }: RepeatedCall,
): void {
  const body = text ?? (unreadBytes > 0 ? "0".repeat(unreadBytes) : undefined);
  void send(store, { method, path, headers: onlyThese(headers), ...(body !== undefined && { text: body }) });
}

/** Sends a call, and opens its entry. A call that a fault holds is in the journal before it is answered. */
function send(store: WorldStore, call: SendRequest): Promise<void> {
  return store.act(async () => {
    store.announce("Sent. The answer is awaited.");
    const { id } = await admin("sendRequest", { body: call });
    store.announce(`Sent as request ${id}.`);
    go({ entry: id });
  });
}

/** What every call has by default is left out when it is not among these. */
function onlyThese(headers: Readonly<Record<string, string>>): Record<string, string | null> {
  const sent: Record<string, string | null> = { authorization: null, "content-type": null };
  for (const [name, value] of Object.entries(headers)) sent[name.toLowerCase()] = value;
  return sent;
}
