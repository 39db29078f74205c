import { type AdminClient, type AdminResponse, adminCall, adminTarget } from "../contract/admin-calls.js";
import type { AdminFailure } from "../generated/types.js";
import { report } from "./embedded-report.js";
import { serverAdmin, worldName } from "./place.js";
import { reportClient } from "./report-client.js";

/** Makes admin calls in the world of this page: every path is relative to it. */
const askServer: AdminClient = async (id, input) => {
  const { body } = input;
  const init = body && { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const { method, ofServer } = adminCall(id);
  const target = `${ofServer ? serverAdmin : "."}${adminTarget(id, input)}`;
  const response = await fetch(target, { method, ...init }).catch(() => {
    throw new Error("The mock does not answer. It may have been stopped.");
  });
  if (!response.ok) throw new Error(await reasonOf(response));
  // The mock that served this page answers in the shapes of its schemas.
  return (await response.json()) as AdminResponse<typeof id>;
};

/** The server that this page came from, or the data that came with it. */
export const admin: AdminClient = report === undefined ? askServer : reportClient(report, worldName);

async function reasonOf(response: Response): Promise<string> {
  try {
    const { error } = (await response.json()) as AdminFailure;
    const details = (error.details ?? []).map(({ path, message }) => `${path} ${message}`.trim());
    return [error.message, ...details].join(" ");
  } catch {
    return `The mock answered ${response.status}.`;
  }
}
