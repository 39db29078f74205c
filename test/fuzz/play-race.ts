import { turns } from "../server/raw-socket.js";
import type { CaseRecord } from "./case-record.js";
import { Finding } from "./finding.js";
import { HalfSent } from "./half-sent.js";
import { inTime } from "./patience.js";
import { keepToken } from "./play-send.js";
import type { ServerProcess } from "./server-process.js";
import type { RaceStep } from "./steps.js";

/** Invariants A and B, in a world of their own. */
export async function playRace(step: RaceStep, server: ServerProcess, record: CaseRecord): Promise<void> {
  const world = `race-${server.nextTag()}`;
  const create = { user_group_id: world, name: world };
  if (step.operation === "get-or-create") {
    const responses = await atOnce("GET", create, step.requests);
    const created = responses.filter(({ json }) => json?.new_user_group === true);
    const tokens = new Set(responses.map(({ json }) => json?.user_group?.token));
    if (created.length !== 1 || tokens.size !== 1) wrong("A: of many creations one creates", responses);
    return;
  }
  const [first] = await atOnce("GET", create, 1);
  const responses = await atOnce("POST", { current_token: first?.json?.user_group?.token }, step.requests);
  const rotated = responses.filter(({ json }) => json?.success === 1);
  if (rotated.length !== 1) wrong("B: of many rotations one rotates", responses);

  function wrong(rule: Finding["rule"], responses: Awaited<ReturnType<typeof atOnce>>): void {
    // Another step may drop all worlds meanwhile.
    if (!record.isPristine(world)) return;
    throw new Finding(rule, responses.map(({ status, body }) => `${status} ${body}`).join("\n"));
  }

  /** Sends all requests except for their last byte, then all last bytes together. */
  async function atOnce(method: "GET" | "POST", body: object, count: number) {
    const begun = Array.from(
      { length: count },
      () => new HalfSent(server.url, world, method, body, { tag: `${server.nextTag()}` }),
    );
    server.requests += count;
    await Promise.all(begun.map((half) => half.begin()));
    await turns(5);
    await Promise.all(begun.map((half) => half.complete()));
    const responses = await Promise.all(begun.map((half) => inTime(half.response(), "a race")));
    const found = responses.flatMap((response) => response ?? []);
    for (const { json } of found) keepToken(json?.user_group, world, server, record);
    return found;
  }
}
