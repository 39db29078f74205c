import { promisify } from "node:util";
import type { ZlibOptions } from "node:zlib";
import { thrown } from "../foundation/mock-error.js";
import type { Failure } from "../service/failures.js";

/** The functions of node:zlib, by the name in Content-Encoding. */
export const decoders: ReadonlyMap<string, "gunzip" | "inflate" | "brotliDecompress"> = new Map([
  ["gzip", "gunzip"],
  ["deflate", "inflate"],
  ["br", "brotliDecompress"],
] as const);

/** The bytes of a packed body. Undefined when they are more than the limit. */
export async function inflate(
  bytes: Buffer,
  encoding: string,
  limit: number,
): Promise<Buffer | Failure | undefined> {
  try {
    const name = decoders.get(encoding);
    if (name === undefined) return undefined;
    const zlib = await import("node:zlib");
    return await promisify<Buffer, ZlibOptions, Buffer>(zlib[name])(bytes, { maxOutputLength: limit });
  } catch (error) {
    if (thrown(error).code === "ERR_BUFFER_TOO_LARGE") return undefined;
    const message = `The body is not what Content-Encoding: ${encoding} says. Compress it so, or leave out the header.`;
    return { code: "invalid_json", message };
  }
}
