import { CopyButton } from "./buttons.js";
import { asCurl } from "./copy-as.js";
import { isReport } from "./embedded-report.js";
import { firstRequest } from "./repeatable-request.js";
import { sendAgain } from "./send-form.js";
import { baseUrl, worldName } from "./urls.js";
import type { WorldStore } from "./world-store.js";

/** Shown instead of an empty journal: how to send the first request. */
export function EmptyWorld({ store }: { readonly store: WorldStore }) {
  const { apiToken } = store;
  const request = firstRequest(apiToken);
  const curl = asCurl(request);
  return (
    <div class="empty">
      <h2>No request has reached the world {worldName} yet</h2>
      <p>Use this base URL in your program, or try this request. New requests appear here at once.</p>
      <dl>
        <div>
          <dt>Base URL</dt>
          <dd>
            <code>{baseUrl}</code>
            <CopyButton store={store} text={baseUrl} what="the base URL" />
          </dd>
        </div>
        <div>
          <dt>API token</dt>
          <dd>
            <code>{apiToken}</code>
            <CopyButton store={store} text={apiToken} what="the API token" />
          </dd>
        </div>
      </dl>
      <div class="command">
        <pre>{curl}</pre>
        <CopyButton store={store} text={curl} what="the request" />
      </div>
      {!isReport && (
        <button type="button" class="primary" onClick={() => sendAgain(store, request)}>
          Send this request
        </button>
      )}
    </div>
  );
}
