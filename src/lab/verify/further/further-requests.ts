import { furtherCosts } from "../service/budget.js";
import type { GroupClient } from "../service/group-client.js";
import type { Recorded } from "../service/recorded.js";
import { type Action, type ActionKind, actions, create } from "./further-actions.js";
import { Walk } from "./further-walk.js";

// Nothing is learned from these requests, and they are drawn without the tables from which verify learns: they measure
// how right the profile is about what verify has not seen.

/** A request from which nothing is learned. */
export interface FurtherRequest extends Recorded {
  readonly kind: ActionKind;
}

/** How often another action is drawn if one is not possible now. */
const maxDraws = 10;

/** Sends what a program might send: about three quarters of it are correct requests. */
export function askFurther(client: GroupClient): Promise<FurtherRequest[]> {
  return client.budget.inPart("furtherRequests", async () => {
    const kept: FurtherRequest[] = [];
    // A 5xx counts only if the service sends it again.
    for (const entry of await sendFurtherRequests(client))
      if (entry.response.status < 500 || (await client.repeats(entry))) kept.push(entry);
    return kept;
  });
}

export async function sendFurtherRequests(client: GroupClient): Promise<FurtherRequest[]> {
  const walk = new Walk(client);
  const sent: FurtherRequest[] = [];
  for (let n = 0; n < furtherCosts.requests; n++) {
    const kind = n % 4 === 3 ? "mistake" : "correct";
    // Groups first.
    const drawn = n < 2 ? [create] : actions[kind];
    for (const entry of await sendOne(walk, drawn)) sent.push({ ...entry, kind });
  }
  return sent;
}

/**
 * Sends one request. Draws again if the drawn one is not possible now. If it got no usable response, or one about a group
 * of someone else, there is nothing to compare.
 */
async function sendOne(walk: Walk, drawn: readonly Action[]): Promise<readonly Recorded[]> {
  for (let draws = 0; draws < maxDraws; draws++) {
    const [title, send] = walk.draw.one(drawn);
    // Once, because a group has a new token after a rotation whose response was lost.
    const { entries, answer } = await walk.client.ask(title, async () => send(walk), { isRepeated: false });
    const isImpossibleNow = entries.length === 0 && answer.why === undefined;
    if (!isImpossibleNow) return entries;
  }
  return [];
}
