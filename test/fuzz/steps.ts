/** One try: a few steps, as plain data, so that they can be written down, replayed and made smaller. */
export type Case = readonly Step[];

export type Step = SendStep | RaceStep | OvertakeStep | SignalStep;

/** Sends requests on a connection of its own. */
export interface SendStep {
  readonly do: "send";
  readonly world: string;
  /** Pipelined. */
  readonly requests: readonly RequestParts[];
  /** Overwrites single bytes of what is sent: the position (modulo the length) and the new byte. */
  readonly overwrite: readonly (readonly [at: number, byte: number])[];
  /** In how many writes the bytes go out. */
  readonly writes: number;
  /** Then reads the answer, closes its side first, breaks off, or reads nothing before the end of the case. */
  readonly caller: "reads" | "ends" | "breaks off" | "stalls";
  /** Whether the next step waits for the answer, if it comes soon. */
  readonly wait: boolean;
}

export interface RequestParts {
  readonly method: string;
  /** The path below the world, with its query. */
  readonly target: string;
  readonly version: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly framing: Framing;
  readonly encoding: Encoding;
  readonly body: BodyParts;
}

/** How the end of the body is announced. The first row is right, the others are not. */
export const framings = {
  right: ["length", "chunked", "trailer"],
  wrong: ["none", "more", "less", "both", "twice", "signed", "bad-chunk", "long-extension", "unknown-coding"],
} as const;
export type Framing = (typeof framings)["right" | "wrong"][number];

export const encodings = ["identity", "gzip", "br", "deflate", "zstd", "cut-gzip"] as const;
export type Encoding = (typeof encodings)[number];

/** `@token:a@` in a text stands for the newest token of the group a that was seen in this world. */
export type BodyParts =
  | { readonly text: string; readonly charset?: "utf8" | "latin1" | "utf16le" }
  | {
      readonly before: string;
      readonly unit: string;
      readonly times: number;
      readonly after: string;
    };

/** Many equal calls at once: get-or-creates of one new group, or rotations of one token. */
export interface RaceStep {
  readonly do: "race";
  readonly world: string;
  readonly operation: "get-or-create" | "rotate";
  readonly calls: number;
}

/** Calls that are under way when their world begins anew. */
export interface OvertakeStep {
  readonly do: "overtake";
  readonly world: string;
  /** What they wait for: the rest of their body, or the release of a fault. */
  readonly calls: "half-sent" | "held";
  readonly count: number;
  readonly encoding: "identity" | "gzip";
  readonly by: "reset" | "drop" | "drop-all";
  /** Whether half-sent bodies are completed before or after the world begins anew. */
  readonly complete: "before" | "after";
}

/** Ends the server, with whatever is under way. Later steps are not made. */
export interface SignalStep {
  readonly do: "signal";
  readonly signal: "SIGTERM" | "SIGINT" | "SIGHUP";
  /** Calls that are half sent when the signal comes, and are completed then. */
  readonly halfSent: number;
}
