import { randomInt } from "node:crypto";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FuzzResult, fuzz, replay } from "./fuzzer.js";
import type { Case } from "./steps.js";

/** `node test/fuzz/run.mjs`. Returns the exit code. */
export async function command(): Promise<number> {
  const { FUZZ_SEED, FUZZ_SECONDS = "20", FUZZ_REPLAY } = process.env;
  if (FUZZ_REPLAY !== undefined) {
    const finding = await replay(JSON.parse(readFileSync(FUZZ_REPLAY, "utf8")) as Case);
    console.log(finding === undefined ? "No problem found." : `Found: ${finding.message}`);
    return finding === undefined ? 0 : 1;
  }
  const seed = Number(FUZZ_SEED ?? randomInt(2 ** 31));
  console.log(`Fuzzing for ${FUZZ_SECONDS} s with FUZZ_SEED=${seed}`);
  const result = await fuzz({ seed, seconds: Number(FUZZ_SECONDS) });
  if (result.finding !== undefined) console.log(describeFinding(result));
  console.log(summary(result));
  return result.finding === undefined ? 0 : 1;
}

/** The finding, and how to reproduce it. */
export function describeFinding({ finding, smallest, seed }: FuzzResult): string {
  const file = join(mkdtempSync(join(tmpdir(), "usergroup-mock-fuzz-")), "case.json");
  const steps = JSON.stringify(smallest, null, 2);
  writeFileSync(file, steps);
  return [
    `Found: ${finding?.message}`,
    `The smallest case:\n${steps.length > 5_000 ? `${steps.slice(0, 5_000)} …` : steps}`,
    `Replay it:        FUZZ_REPLAY=${file} node test/fuzz/run.mjs`,
    `Find it again:    FUZZ_SEED=${seed} node test/fuzz/run.mjs`,
  ].join("\n");
}

export function summary({ cases, requests, slowestMs, peakMemory, seed }: FuzzResult): string {
  return (
    `${cases} cases, ${requests} requests; slowest bystander ${Math.round(slowestMs)} ms, ` +
    `peak memory ${Math.round(peakMemory / 1e6)} MB; seed ${seed}`
  );
}
