import {
  type AdminClient,
  type AdminResponse,
  adminCall,
  adminTarget,
} from "../fake/contract/admin-calls.js";
import { defaultWorld, worldUrl } from "../fake/contract/world-name.js";
import type { AdminFailure } from "../generated/types.js";
import { findResponse, isReport } from "./embedded-report.js";
import { serverUrl } from "./route.js";

/** The mock does not respond: it has probably stopped. */
export class MockGone extends Error {}

/** Makes admin calls in a world: with the server, or with the responses that a report has recorded. */
export function adminOf(world: string): AdminClient {
  return async (id, input) => {
    const { method, ofServer } = adminCall(id);
    const asked = ofServer ? defaultWorld : world;
    const target = adminTarget(id, input);
    if (isReport) {
      const recorded = findResponse(asked, id, input);
      if (recorded === undefined) throw new Error(`The report does not include ${target}.`);
      return recorded;
    }
    const { body } = input;
    const init = body && { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
    const url = `${worldUrl(serverUrl, asked)}/__admin${target}`;
    const response = await fetch(url, { method, ...init }).catch(() => {
      throw new MockGone("The mock does not respond. It may have been stopped.");
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
