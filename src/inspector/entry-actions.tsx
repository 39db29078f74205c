import type { JournalEntry, RequestBody } from "../generated/types.js";
import { CopyButton } from "./buttons.js";
import { asCurl, asJavaScript, asTest } from "./copy-as.js";
import { isReport } from "./embedded-report.js";
import { repeatableRequest } from "./repeatable-request.js";
import { hashOf } from "./route.js";
import { sendAgain } from "./send-form.js";
import type { WorldStore } from "./world-store.js";

interface EntryActionsProps {
  readonly store: WorldStore;
  readonly entry: JournalEntry;
  readonly epoch: number | undefined;
  readonly bodies: RequestBody | undefined;
}

export function EntryActions({ store, entry, epoch, bodies }: EntryActionsProps) {
  const request = repeatableRequest(entry, bodies?.request ?? null, store.apiToken);
  const what = (form: string) =>
    [form, ...request.remarks.map((remark) => remark.replace(/\.$/, ""))].join(". ");
  const isReady = bodies !== undefined;
  return (
    <div class="actions">
      {!isReport && (
        <>
          <button
            type="button"
            disabled={!isReady}
            title="Send this request again, unchanged"
            onClick={() => sendAgain(store, request)}
          >
            Send again
          </button>
          <a class="button" href={hashOf({ epoch, entry: entry.id, sends: true })}>
            Edit and send
          </a>
        </>
      )}
      <CopyButton store={store} text={asCurl(request)} what={what("as curl")} isReady={isReady}>
        Copy as curl
      </CopyButton>
      <CopyButton store={store} text={asJavaScript(request)} what={what("as JavaScript")} isReady={isReady}>
        Copy as JavaScript
      </CopyButton>
      <CopyButton store={store} text={asTest(entry)} what="lines for a test">
        Copy as test
      </CopyButton>
      <CopyButton
        store={store}
        text={`${location.href.split("#")[0]}${hashOf({ epoch, entry: entry.id })}`}
        what="the link"
      >
        Copy link
      </CopyButton>
    </div>
  );
}
