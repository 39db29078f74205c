import { CopyButton } from "./buttons.js";
import { asCurl } from "./copy-as.js";
import { isReport } from "./embedded-report.js";
import type { LiveWorld } from "./live-world.js";
import { baseUrl, worldName } from "./place.js";
import { firstCall } from "./repeated-call.js";
import { sendCallAgain } from "./send-form.js";

/** Shown instead of an empty journal: how to make the first call. */
export function EmptyWorld({ live }: { readonly live: LiveWorld }) {
  const { apiToken } = live;
  const call = firstCall(apiToken);
  const curl = asCurl(call);
  return (
    <div class="empty">
      <h2>Nothing has called the world {worldName} yet</h2>
      <p>Use this base URL in your program, or try this call. New calls appear here at once.</p>
      <dl>
        <div>
          <dt>Base URL</dt>
          <dd>
            <code>{baseUrl}</code>
            <CopyButton live={live} text={baseUrl} what="the base URL">
              Copy<span class="off-screen"> the base URL</span>
            </CopyButton>
          </dd>
        </div>
        <div>
          <dt>API token</dt>
          <dd>
            <code>{apiToken}</code>
            <CopyButton live={live} text={apiToken} what="the API token">
              Copy<span class="off-screen"> the API token</span>
            </CopyButton>
          </dd>
        </div>
      </dl>
      <div class="command">
        <pre>{curl}</pre>
        <CopyButton live={live} text={curl} what="the call">
          Copy<span class="off-screen"> the call</span>
        </CopyButton>
      </div>
      {!isReport && (
        <button type="button" class="primary" onClick={() => sendCallAgain(live, call)}>
          Send this call
        </button>
      )}
    </div>
  );
}
