import { type AdminClient, type AdminResponse, adminCall, adminTarget } from "../contract/admin-calls.js";
import { defaultWorld, worldUrl } from "../contract/world-name.js";
import type { AdminFailure } from "../generated/types.js";
import { report } from "./embedded-report.js";
import { reportClient } from "./report-client.js";
import { serverUrl } from "./route.js";

/** The mock does not respond: it has probably stopped. */
export class NoResponse extends Error {}

/** Makes admin calls in a world: with the server, or with the data of a report. */
export function adminOf(world: string): AdminClient {
  return report === undefined ? serverClient(world) : reportClient(report, world);
}

function serverClient(world: string): AdminClient {
  return async (id, input) => {
    const { body } = input;
    const init = body && { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
    const { method, ofServer } = adminCall(id);
    const target = `${worldUrl(serverUrl, ofServer ? defaultWorld : world)}/__admin${adminTarget(id, input)}`;
    const response = await fetch(target, { method, ...init }).catch(() => {
      throw new NoResponse("The mock does not respond. It may have been stopped.");
    });
    if (!response.ok) throw new Error(await errorText(response));
    // Responses of the mock that served this page have the shapes of its schemas.
    return (await response.json()) as AdminResponse<typeof id>;
  };
}

async function errorText(response: Response): Promise<string> {
  try {
    const { error } = (await response.json()) as AdminFailure;
    const details = (error.details ?? []).map(({ path, message }) => `${path} ${message}`.trim());
    return [error.message, ...details].join(" ");
  } catch {
    return `The mock responded with status ${response.status}.`;
  }
}
