import { CopyButton } from "./buttons.js";
import { firstCurl } from "./curl.js";
import type { LiveWorld } from "./live-world.js";
import { baseUrl, worldName } from "./place.js";

/** What to do where nothing has happened yet. */
export function EmptyWorld({ live }: { readonly live: LiveWorld }) {
  const apiToken = live.known.teams.flatMap(({ api_tokens }) => api_tokens)[0] ?? "";
  const curl = firstCurl(apiToken);
  return (
    <div class="empty">
      <h2>Nothing has called the world {worldName} yet</h2>
      <p>Point your program here, or try this call. It shows as soon as it comes.</p>
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
    </div>
  );
}
