import { describe, expect, it } from "vitest";
import { Asker } from "../../src/conformance/ask.js";
import { facts } from "../../src/conformance/facts.js";
import { checkCount, verifyService } from "../../src/conformance/verify-service.js";
import { assumptionIds } from "../../src/service/assumptions.js";
import { type Lie, type PlainServer, plainServer, plainService } from "./plain-service.js";

const target = ({ url }: PlainServer) => ({ baseUrl: url, apiToken: "secret" });

describe("the watcher of verify", () => {
  it("is called for every step, in order, with its result", async () => {
    await using server = await plainService((honest) => ({ ...honest, body: { ...honest.body, extra: 1 } }));
    const heard: string[] = [];
    const watch = {
      begin: (step: string) => heard.push(step),
      done: (step: string, result: string) => heard.push(`${step}: ${result}`),
    };
    const report = await verifyService(target(server), { watch });
    expect(heard).toEqual(
      [
        ["first call", "answered"] as const,
        ...report.facts.map(({ fact, verdict }) => [fact, verdict] as const),
        ...report.assumptions.map(({ id, value }) => [id, value ?? "not determinable"] as const),
      ].flatMap(([step, result]) => [step, `${step}: ${result}`]),
    );
    expect(new Set(report.facts.map(({ verdict }) => verdict))).toEqual(new Set(["holds", "broken"]));
    expect(heard).toHaveLength(2 * (1 + checkCount));
  });
});

describe("verify that is aborted", () => {
  it("returns what it has found so far, and sends no further request", async () => {
    const stopping = new AbortController();
    let calls = 0;
    const count: Lie = (honest) => {
      calls++;
      return honest;
    };
    await using server = await plainService(count);
    let callsThen = 0;
    const watch = {
      begin: () => {},
      done: (step: string) => {
        if (step !== "auth-scheme") return;
        callsThen = calls;
        stopping.abort();
      },
    };
    const report = await verifyService(target(server), { watch, signal: stopping.signal });
    expect(report.facts.map(({ fact }) => fact)).toEqual(facts.map(({ fact }) => fact));
    expect(report.assumptions.map(({ id }) => id)).toEqual(assumptionIds.slice(0, 2));
    expect(calls).toBe(callsThen);
  });

  it("sends no further request in the middle of a step", async () => {
    const stopping = new AbortController();
    await using server = await plainServer((_, res) => res.end("{}"));
    const asker = new Asker(target(server), { signal: stopping.signal });
    stopping.abort();
    await expect(asker.getOrCreate({})).rejects.toMatchObject({ name: "AbortError" });
  });

  it("does not wait for the pending response", async () => {
    const stopping = new AbortController();
    await using server = await plainServer(() => stopping.abort());
    const report = await verifyService(target(server), { signal: stopping.signal });
    expect([report.facts, report.assumptions]).toEqual([[], []]);
  });
});
