import { turns } from "../server/raw-socket.js";
import type { CaseRecord } from "./case-record.js";
import { Finding } from "./finding.js";
import { HalfSent } from "./half-sent.js";
import { inTime, soon } from "./patience.js";
import { keepToken } from "./play-send.js";
import type { ServerProcess } from "./server-process.js";
import type { RaceStep } from "./steps.js";

/** Invariants A and B. The check is less strict in a world that another step changes meanwhile. */
export async function playRace(step: RaceStep, server: ServerProcess, record: CaseRecord): Promise<void> {
  const { world, operation, requests } = step;
  const id = `race-${server.nextTag()}`;
  const began = record.now();
  const create = { user_group_id: id, name: id };
  if (operation === "get-or-create") {
    const responses = await atOnce("GET", create, requests);
    const created = responses.filter(({ json }) => json?.new_user_group === true);
    const tokens = new Set(responses.flatMap(({ json }) => json?.user_group?.token ?? []));
    if (!record.isQuiet(world, began)) return;
    const listed = responses.map(({ status, body }) => `${status} ${body}`).join("\n");
    const isWrong = created.length > 1 || tokens.size > 1;
    const isStrict = record.isPristine(world) && responses.length === requests;
    if (isWrong || (isStrict && created.length !== 1))
      throw new Finding(
        "A: of many creations one creates",
        `${created.length} of ${requests} did:\n${listed}`,
      );
    return;
  }
  const [first] = await atOnce("GET", create, 1);
  const token = first?.json?.user_group?.token;
  if (typeof token !== "string") return;
  const responses = await atOnce("POST", { current_token: token }, requests);
  const rotated = responses.filter(({ json }) => json?.success === 1);
  if (!record.isQuiet(world, began) || !record.isPristine(world)) return;
  const listed = responses.map(({ status, body }) => `${status} ${body}`).join("\n");
  if (rotated.length > 1 || (rotated.length === 0 && responses.length === requests))
    throw new Finding("B: of many rotations one rotates", `${rotated.length} of ${requests} did:\n${listed}`);

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
    // A fault may hold a request until the end of the case.
    const wait = record.hasFaults ? soon : (work: ReturnType<HalfSent["response"]>) => inTime(work, "a race");
    const responses = (await Promise.all(begun.map((half) => wait(half.response())))).flatMap(
      (one) => one ?? [],
    );
    for (const { connection } of begun) connection.close();
    for (const { json } of responses) keepToken(json?.user_group, world, server, record);
    return responses;
  }
}
