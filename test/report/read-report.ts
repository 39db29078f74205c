import {
  type AdminResponse,
  type AnyAdminInput,
  adminTarget,
  type JsonCallId,
} from "../../src/fake/contract/admin-calls.js";
import { defaultWorld } from "../../src/fake/contract/world-name.js";
import type { JournalEntry, TestSummary } from "../../src/generated/types.js";
import { type AboutReport, readReport } from "../../src/report/report-data.js";

/** A report, read as its page reads it. */
export function readPage(html: string) {
  const start = '<script type="application/json" id="report">';
  const from = html.indexOf(start) + start.length;
  const lines = html.slice(from, html.indexOf("</script>", from));
  const find = readReport(lines);
  /** The response to an admin call. */
  const ask = <Id extends JsonCallId>(world: string, id: Id, input: AnyAdminInput = {}) =>
    find(world, adminTarget(id, input)) as AdminResponse<Id> | undefined;
  const journal = ({ world, epoch }: TestSummary) => {
    const page = ask(world, "listRequests", { query: { epoch } });
    const requests = page?.requests.toSorted((a, b) => a.id - b.id) ?? [];
    return { ...page, requests };
  };
  const { tests = [] } = ask(defaultWorld, "listTests") ?? {};
  const { leftOut } = find("", "") as AboutReport;
  return { lines, leftOut, ask, tests: tests.map((test) => ({ ...test, journal: journal(test) })) };
}

/** The group ids of the requests in a journal. */
export function groupsIn({ requests }: { readonly requests: readonly JournalEntry[] }): string[] {
  return requests.map(({ request }) => (request.body as { user_group_id: string }).user_group_id);
}
