import { durationWords } from "../foundation/duration-words.js";
import type { FaultRule } from "../generated/types.js";

/** Fields that select the requests of a fault, and how often it fires. */
export type Meeting = "operation" | "match" | "team_id" | "phase" | "times" | "skip" | "probability";

/** Fields that go with `status`. */
export type ResponsePart = "headers" | "body" | "text";

/** All other fields of the schema. `delayMs` is an effect only without another one. */
export type FaultEffect = Exclude<keyof FaultRule, Meeting | ResponsePart>;

interface EffectRow {
  /** Whether the client still gets the response of the service. */
  readonly letsThrough?: true;
  /** How often it fires by default, if not once. */
  readonly times?: "always";
  /** In notes of the journal, after the name of the fault. */
  readonly noteText: (rule: FaultRule, waitedMs: number) => string;
  /** In the list of the inspector. */
  readonly listText: (rule: FaultRule) => string;
  /** In the form of the inspector, with the fields that belong to the effect. */
  readonly form: {
    readonly title: string;
    readonly description: string;
    readonly has?: readonly ("status" | "response" | "delayMs")[];
    /** The numbers that the effect consists of, by field, with a label and an initial value. */
    readonly numbers?: Readonly<Record<string, { readonly label: string; readonly initial: string }>>;
  };
  /** In `docs/faults-and-races.md`. */
  readonly docs: { readonly field: string; readonly clientGets: string };
}

/** Every effect of a fault, the most common first. `world/faults/effects.ts` carries them out. */
export const faultEffects: Readonly<Record<FaultEffect, EffectRow>> = {
  status: {
    noteText: ({ status }) => `responded with ${status}`,
    listText: ({ status }) => `responds with ${status}`,
    form: {
      title: "The service is down",
      description: "The request fails with this status.",
      has: ["status", "response"],
    },
    docs: {
      field: "`status`",
      clientGets:
        'a response with this status, 400 to 599, and the failure body of the service. You can add `headers` (`{ "Retry-After": "1" }`), and either `body` (JSON) or `text` (sent as it is, such as the HTML page of a proxy)',
    },
  },
  delayMs: {
    letsThrough: true,
    noteText: (_, waitedMs) => `delayed the request by ${durationWords(waitedMs)}`,
    listText: ({ delayMs }) => `waits ${delayMs} ms`,
    form: { title: "Slow", description: "The request is processed after a delay.", has: ["delayMs"] },
    docs: {
      field: "`delayMs`",
      clientGets: "the response, after this delay. With another effect, the delay comes first",
    },
  },
  rateLimit: {
    times: "always",
    noteText: () => "responded with 429: the request exceeded the rate limit",
    listText: ({ rateLimit }) =>
      `responds with 429 beyond ${rateLimit?.requests} request${rateLimit?.requests === 1 ? "" : "s"} per ${rateLimit?.perSeconds} s`,
    form: {
      title: "Rate limit",
      description: "Requests beyond this rate get 429 with Retry-After.",
      numbers: {
        requests: { label: "Requests", initial: "10" },
        perSeconds: { label: "Per (seconds)", initial: "1" },
      },
    },
    docs: {
      field: "`rateLimit: { requests, perSeconds }`",
      clientGets:
        '429 with `Retry-After` beyond this rate, which is measured in a sliding window of real time. Requests within the rate are not affected. `times` is `"always"` by default, and `fired` counts the 429s',
    },
  },
  latencyMs: {
    letsThrough: true,
    times: "always",
    noteText: (_, waitedMs) => `delayed the request by ${durationWords(waitedMs)}`,
    listText: ({ latencyMs }) => `waits ${latencyMs?.min} to ${latencyMs?.max} ms`,
    form: {
      title: "Latency",
      description: "Every response is delayed, some more than others.",
      numbers: {
        min: { label: "Shortest delay in ms", initial: "20" },
        max: { label: "Longest delay in ms", initial: "200" },
      },
    },
    docs: {
      field: "`latencyMs: { min, max }`",
      clientGets:
        'the response, after a delay between `min` and `max`. The delay is derived from `--seed`, so it is the same in every run. `times` is `"always"` by default',
    },
  },
  reset: {
    noteText: () => "reset the connection",
    listText: () => "resets the connection",
    form: { title: "Connection reset", description: "The connection is reset." },
    docs: { field: "`reset: true`", clientGets: "the connection is reset" },
  },
  empty: {
    noteText: () => "closed the connection",
    listText: () => "closes the connection without a response",
    form: { title: "Empty response", description: "The connection is closed without a response." },
    docs: { field: "`empty: true`", clientGets: "the connection is closed without a response" },
  },
  truncate: {
    noteText: () => "cut the response in half",
    listText: () => "sends half of the response",
    form: { title: "Half a response", description: "Half of the body, then the connection is closed." },
    docs: { field: "`truncate: true`", clientGets: "half of the body, then the connection is closed" },
  },
  malformed: {
    noteText: () => "responded with broken JSON",
    listText: () => "responds with broken JSON",
    form: { title: "Broken JSON", description: "A status of 200 with a body that is not JSON." },
    docs: { field: "`malformed: true`", clientGets: "200 with broken JSON" },
  },
  dribble: {
    letsThrough: true,
    noteText: ({ delayMs }) => `sends the response in pieces, over ${delayMs} ms`,
    listText: ({ delayMs }) => `sends the response slowly, over ${delayMs} ms`,
    form: { title: "Dribble", description: "The response is sent slowly, in pieces.", has: ["delayMs"] },
    docs: { field: "`dribble: true`, with `delayMs`", clientGets: "the response in pieces, over `delayMs`" },
  },
  hold: {
    letsThrough: true,
    noteText: (_, waitedMs) => `held the request for ${durationWords(waitedMs)}`,
    listText: () => "holds requests until released",
    form: { title: "Hold", description: "The request waits until you release it." },
    docs: {
      field: "`hold: true`",
      clientGets: "the response, after you release the hold. Later requests are not held",
    },
  },
};

export const effectNames = Object.keys(faultEffects) as readonly FaultEffect[];

/** The effects of a rule. `delayMs` beside another one is a wait before it, or the duration of `dribble`. */
export function effectsOf(rule: FaultRule): FaultEffect[] {
  const given = effectNames.filter((effect) => rule[effect] !== undefined);
  return given.length > 1 ? given.filter((effect) => effect !== "delayMs") : given;
}
