import { describe, expect, it } from "vitest";
import { facts } from "../../src/conformance/facts.js";
import { ServiceClient } from "../../src/conformance/service-client.js";
import { checkCount, verifyService } from "../../src/conformance/verify-service.js";
import { assumptionIds } from "../../src/service/assumptions.js";
import { type Deviation, type PlainServer, plainServer, plainService } from "./plain-service.js";

const target = ({ url }: PlainServer) => ({ baseUrl: url, apiToken: "secret" });

describe("verifyService", () => {
  it("calls its watcher for every step, in order, with the result", async () => {
    await using server = await plainService((correct) => ({
      ...correct,
      body: { ...correct.body, extra: 1 },
    }));
    const events: string[] = [];
    const watch = {
      begin: (step: string) => events.push(step),
      done: (step: string, result: string) => events.push(`${step}: ${result}`),
    };
    const report = await verifyService(target(server), { watch });
    expect(events).toEqual(
      [
        ["first request", "ok"] as const,
        ...report.facts.map(({ fact, verdict }) => [fact, verdict] as const),
        ...report.assumptions.map(({ id, value }) => [id, value ?? "not determinable"] as const),
      ].flatMap(([step, result]) => [step, `${step}: ${result}`]),
    );
    expect(new Set(report.facts.map(({ verdict }) => verdict))).toEqual(new Set(["holds", "broken"]));
    expect(events).toHaveLength(2 * (1 + checkCount));
  });
});

describe("an aborted verifyService", () => {
  it("returns the findings so far and sends no further request", async () => {
    const stopping = new AbortController();
    let requests = 0;
    const count: Deviation = (correct) => {
      requests++;
      return correct;
    };
    await using server = await plainService(count);
    let requestsThen = 0;
    const watch = {
      begin: () => {},
      done: (step: string) => {
        if (step !== "auth-scheme") return;
        requestsThen = requests;
        stopping.abort();
      },
    };
    const report = await verifyService(target(server), { watch, signal: stopping.signal });
    expect(report.facts.map(({ fact }) => fact)).toEqual(Object.keys(facts));
    expect(report.assumptions.map(({ id }) => id)).toEqual(assumptionIds.slice(0, 2));
    expect(requests).toBe(requestsThen);
  });

  it("sends no further request of the current step", async () => {
    const stopping = new AbortController();
    await using server = await plainServer((_, res) => res.end("{}"));
    const client = new ServiceClient(target(server), { signal: stopping.signal });
    stopping.abort();
    await expect(client.getOrCreate({})).rejects.toMatchObject({ name: "AbortError" });
  });

  it("does not wait for the pending response, and announces no pause", async () => {
    const stopping = new AbortController();
    await using server = await plainServer(() => stopping.abort());
    const waits: string[] = [];
    const watch = { begin: () => {}, done: () => {}, wait: (_: number, why: string) => waits.push(why) };
    const report = await verifyService(target(server), { signal: stopping.signal, watch });
    expect([report.facts, report.assumptions, waits]).toEqual([[], [], []]);
  });
});
