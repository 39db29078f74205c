import { describe, expect, it } from "vitest";
import { NoResponse } from "../../../../src/lab/verify/service/not-determinable.js";
import { type Patience, Retries } from "../../../../src/lab/verify/service/retries.js";

const patience: Patience = { timeoutMs: 1, attempts: 4, backoffMs: 1, totalMs: 60_000 };

async function send(
  errors: readonly Error[],
  {
    canRepeat = () => true,
    signal,
    ...more
  }: Partial<Patience> & { canRepeat?: (error: NoResponse) => boolean; signal?: AbortSignal } = {},
) {
  let sent = 0;
  const retries = new Retries({ ...patience, ...more }, signal);
  const answer = await retries
    .send(async () => {
      const error = errors[sent++];
      if (error !== undefined) throw error;
      return "done";
    }, canRepeat)
    .catch((error: Error) => error.message);
  return { sent, answer };
}

const failures = (count: number, response?: ConstructorParameters<typeof NoResponse>[1]) =>
  Array.from({ length: count }, () => new NoResponse("no response", response));

describe("what got no response is tried again", () => {
  it("until there is one", async () => {
    expect(await send(failures(3))).toEqual({ sent: 4, answer: "done" });
  });

  it("four times at most", async () => {
    expect(await send(failures(9))).toEqual({ sent: 4, answer: "no response, after 4 attempts" });
  });

  it("not at all if it cannot be repeated", async () => {
    expect(await send(failures(9), { canRepeat: () => false })).toEqual({ sent: 1, answer: "no response" });
  });

  it("not if that would be later than the run may take", async () => {
    const late = { sent: 1, answer: "no response, after 1 attempt" };
    expect(await send(failures(9), { totalMs: 100, backoffMs: 200 })).toEqual(late);
    expect(await send(failures(9, { status: 503, retryAfter: "61" }))).toEqual(late);
  });

  it("until the run ends", async () => {
    const ending = new AbortController();
    const running = send(failures(9), { backoffMs: 50_000, signal: ending.signal });
    ending.abort();
    expect(await running).toEqual({ sent: 1, answer: "The operation was aborted" });
  });
});

it("another error is not tried again", async () => {
  expect(await send([new Error("a bug")])).toEqual({ sent: 1, answer: "a bug" });
});
