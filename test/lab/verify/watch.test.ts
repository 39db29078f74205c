import { describe, expect, it } from "vitest";
import { checkCount, verifyService } from "../../../src/lab/verify/verify-service.js";
import { type PlainServer, plainService } from "./plain-service.js";

const target = ({ url }: PlainServer) => ({ baseUrl: url, apiToken: "secret" });

describe("verifyService", () => {
  it("calls its callbacks for every step, in order, with the result", async () => {
    await using server = await plainService((correct) => ({
      ...correct,
      body: { ...correct.body, extra: 1 },
    }));
    const events: string[] = [];
    const report = await verifyService(target(server), {
      onBegin: (step) => events.push(step),
      onDone: (step, result) => events.push(`${step}: ${result}`),
    });
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
