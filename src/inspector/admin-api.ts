import { type AdminClient, type AdminResponse, adminCall, adminTarget } from "../contract/admin-calls.js";
import type { AdminFailure } from "../generated/types.js";
import { report } from "./embedded-report.js";
import { reportClient } from "./report-client.js";
import { serverAdmin, worldName } from "./urls.js";

/** Makes admin calls in the world of this page. Paths are relative to the page. */
const serverClient: AdminClient = async (id, input) => {
  const { body } = input;
  const init = body && { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const { method, ofServer } = adminCall(id);
  const target = `${ofServer ? serverAdmin : "."}${adminTarget(id, input)}`;
  const response = await fetch(target, { method, ...init }).catch(() => {
    throw new Error("The mock does not respond. It may have been stopped.");
  });
  if (!response.ok) throw new Error(await adminErrorText(response));
  // Responses of the mock that served this page have the shapes of its schemas.
  return (await response.json()) as AdminResponse<typeof id>;
};

/** Sends admin calls to the server, or reads the embedded data of a report. */
export const admin: AdminClient = report === undefined ? serverClient : reportClient(report, worldName);

async function adminErrorText(response: Response): Promise<string> {
  try {
    const { error } = (await response.json()) as AdminFailure;
    const details = (error.details ?? []).map(({ path, message }) => `${path} ${message}`.trim());
    return [error.message, ...details].join(" ");
  } catch {
    return `The mock responded with status ${response.status}.`;
  }
}
