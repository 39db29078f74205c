import type { TakenName } from "../service/group-client.js";
import { withoutRuns } from "../service/own-groups.js";
import { isSameResponse, type ReceivedResponse } from "../service/received-response.js";

/**
 * Whether a name such as "" or true may be rejected because another group has it: an earlier run may have used it. Then
 * the rejection shows nothing about names of this form.
 *
 * The words decide, because some services have one status for all rejections. They are those of the rejection of a name
 * that is known to be taken, apart from the name and from what differs in each response:
 *
 *     known:    The name "ugm-k3x9qa 7" is taken (request 81c2).
 *     asked:    The name "True" is taken (request 81f0).
 */
export function isNameTaken(known: TakenName | undefined, response: ReceivedResponse): boolean {
  if (known === undefined || !isSameResponse(response, known.rejection)) return false;
  const words = withoutIds(response.text);
  const parts = partsAroundName(known);
  const [start = ""] = parts;
  const isNameShown = parts.length > 1;
  if (!isNameShown) return words === start;
  // The name can stand there in another form than it was sent: `True` for true, `""` for white space.
  return words.startsWith(start) && words.endsWith(parts.at(-1) ?? "");
}

function partsAroundName({ name, rejection }: TakenName): string[] {
  const nameInJson = JSON.stringify(name).slice(1, -1);
  return rejection.text.split(nameInJson).map(withoutIds);
}

/** A text without ids of groups and of requests, and without times. */
function withoutIds(text: string): string {
  // Not one expression with the digit in it, which would take quadratic time.
  return withoutRuns(text).replace(/[\w-]+/g, (word) => (/\d/.test(word) ? "0" : word));
}
