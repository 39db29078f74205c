import { turns } from "../http/raw-socket.js";
import type { CaseRecord } from "./case-record.js";
import { Finding } from "./finding.js";
import { inTime, soon } from "./patience.js";
import { HalfSent } from "./plain-call.js";
import { keepToken } from "./play-send.js";
import type { ServerProcess } from "./server-process.js";
import type { RaceStep } from "./steps.js";

/** Invariants A and B. In a world that something else changes meanwhile, only what holds anyway is checked. */
export async function playRace(step: RaceStep, server: ServerProcess, record: CaseRecord): Promise<void> {
  const { world, operation, calls } = step;
  const id = `race-${server.nextCall()}`;
  const began = record.now();
  const create = { user_group_id: id, name: id };
  if (operation === "get-or-create") {
    const answers = await atOnce("GET", create, calls);
    const created = answers.filter(({ json }) => json?.new_user_group === true);
    const tokens = new Set(answers.flatMap(({ json }) => json?.user_group?.token ?? []));
    if (!record.isQuiet(world, began)) return;
    const told = answers.map(({ status, body }) => `${status} ${body}`).join("\n");
    const isWrong = created.length > 1 || tokens.size > 1;
    const isStrict = record.isPristine(world) && answers.length === calls;
    if (isWrong || (isStrict && created.length !== 1))
      throw new Finding("A: of many creations one creates", `${created.length} of ${calls} did:\n${told}`);
    return;
  }
  const [first] = await atOnce("GET", create, 1);
  const token = first?.json?.user_group?.token;
  if (typeof token !== "string") return;
  const answers = await atOnce("POST", { current_token: token }, calls);
  const rotated = answers.filter(({ json }) => json?.success === 1);
  if (!record.isQuiet(world, began) || !record.isPristine(world)) return;
  const told = answers.map(({ status, body }) => `${status} ${body}`).join("\n");
  if (rotated.length > 1 || (rotated.length === 0 && answers.length === calls))
    throw new Finding("B: of many rotations one rotates", `${rotated.length} of ${calls} did:\n${told}`);

  /** All are read but for their last byte, and then completed together. */
  async function atOnce(method: "GET" | "POST", body: object, count: number) {
    const begun = Array.from(
      { length: count },
      () => new HalfSent(server.url, world, method, body, { call: `${server.nextCall()}` }),
    );
    server.calls += count;
    await Promise.all(begun.map((half) => half.begin()));
    await turns(5);
    await Promise.all(begun.map((half) => half.complete()));
    // Under a fault, a call may be held until the end of the case.
    const wait = record.hasFaults ? soon : (work: ReturnType<HalfSent["answer"]>) => inTime(work, "a race");
    const answers = (await Promise.all(begun.map((half) => wait(half.answer())))).flatMap((one) => one ?? []);
    for (const { connection } of begun) connection.close();
    for (const { json } of answers) keepToken(json?.user_group, world, server, record);
    return answers;
  }
}
