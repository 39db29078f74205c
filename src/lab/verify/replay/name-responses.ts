import { responseNames, successOf } from "../../../fake/contract/response-names.js";
import type { Accepts, Profile } from "../../../generated/types.js";
import type { GroupClient } from "../service/group-client.js";
import type { ReceivedResponse } from "../service/received-response.js";
import type { Recorded } from "../service/recorded.js";
import { play } from "./play.js";

/** A request of the run, with the name of the response that the mock would send. */
export interface Named extends Recorded {
  /** Empty if the mock decides otherwise than the service, or no profile can have such a response. */
  readonly name: string;
  /** For `invalid_body`: the field that is wrong, or the key in it. */
  readonly wrongField: string | undefined;
  /** The headers of the mock's own response. */
  readonly mockHeaders: ReceivedResponse["headers"] | undefined;
}

/** The header in which the mock sends the name of its response here. */
const nameHeader = "Response-Name";

/**
 * Finds the name of each response, with a mock that has the same rules and values: each of its responses has its own name
 * in a header, and the field that is wrong in its body.
 */
export async function nameResponses(
  client: GroupClient,
  entries: readonly Recorded[],
  known: { readonly accepts: Accepts; readonly assume: NonNullable<Profile["assume"]> },
): Promise<Named[]> {
  const responses = Object.fromEntries(Object.keys(responseNames).map((name) => [name, tellingName(name)]));
  const played = await play(client, entries, { ...known, responses });
  return played.map(({ mocked, ...entry }) => {
    const name = String(mocked?.headers[nameHeader.toLowerCase()] ?? "");
    const wrongField = mocked?.fields.wrongField;
    return {
      ...entry,
      name: canHave(name, entry.response) ? name : "",
      wrongField: typeof wrongField === "string" ? wrongField : undefined,
      mockHeaders: mocked?.headers,
    };
  });
}

/** A response of a profile that adds its own name, and the field that is wrong. */
function tellingName(name: string) {
  const headers = { [nameHeader]: name };
  return successOf(name) ? { headers } : { headers, body: { wrongField: "{field}" } };
}

/** Whether a profile can have the response of the service under this name. */
function canHave(name: string, { isSuccess, status, fields }: ReceivedResponse): boolean {
  // These have no body, and a response of a profile has one.
  if (name === "" || [204, 205, 304].includes(status)) return false;
  if (successOf(name) === undefined) return !isSuccess;
  if (!isSuccess || status > 299) return false;
  // The mock may have created a group where the service has found one, or the reverse.
  if (name === "created") return fields.new_user_group !== false;
  return name !== "found" || fields.new_user_group !== true;
}
