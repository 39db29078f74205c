/** A few steps as plain data, so that a case can be stored, replayed and shrunk. */
export type Case = readonly Step[];

export type Step = SendStep | RaceStep | OvertakeStep;

/** Sends requests on a new connection. */
export interface SendStep {
  readonly do: "send";
  readonly world: string;
  /** Pipelined. */
  readonly requests: readonly RequestParts[];
  /** Overwrites single bytes: the position (modulo the length) and the new byte. */
  readonly overwrite: readonly (readonly [at: number, byte: number])[];
  /** In how many writes the bytes are sent. */
  readonly writes: number;
  /** Then reads the response, closes its side first, aborts, or reads nothing before the end of the case. */
  readonly caller: "reads" | "ends" | "aborts" | "stalls";
  /** Whether the next step waits for the response, if it comes soon. */
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

/** How the end of the body is announced. */
export const framings = {
  right: ["length", "chunked", "trailer"],
  wrong: ["none", "more", "less", "both", "twice", "signed", "bad-chunk", "long-extension", "unknown-coding"],
} as const;
export type Framing = (typeof framings)["right" | "wrong"][number];

export const encodings = ["identity", "gzip", "br", "deflate", "zstd", "cut-gzip"] as const;
export type Encoding = (typeof encodings)[number];

/** `@token:a@` in a text stands for the latest token of the group a in this world. */
export type BodyParts =
  | { readonly text: string; readonly charset?: "utf8" | "latin1" | "utf16le" }
  | { readonly before: string; readonly unit: string; readonly times: number; readonly after: string };

/** Many equal requests at once: get-or-create of one new group, or rotations of one token. */
export interface RaceStep {
  readonly do: "race";
  readonly operation: "get-or-create" | "rotate";
  readonly requests: number;
}

/** Requests that are under way when their world is reset or dropped. */
export interface OvertakeStep {
  readonly do: "overtake";
  /** Whether they wait for the rest of their body, or for the release of a fault. */
  readonly waiting: "half-sent" | "held";
  readonly count: number;
  readonly encoding: "identity" | "gzip";
  readonly by: "reset" | "drop" | "drop-all";
  /** Whether half-sent bodies are completed before or after the reset or drop. */
  readonly complete: "before" | "after";
}
