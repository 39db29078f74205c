import { promisify } from "node:util";
import { brotliDecompress, gunzip, type ZlibOptions, inflate as zlibInflate } from "node:zlib";
import { thrown } from "../foundation/mock-error.js";
import type { Failure } from "../service/failures.js";

type Decoder = (bytes: Buffer, options: ZlibOptions) => Promise<Buffer>;

/** By the name in Content-Encoding. */
export const decoders: ReadonlyMap<string, Decoder> = new Map([
  ["gzip", promisify<Buffer, ZlibOptions, Buffer>(gunzip)],
  ["deflate", promisify<Buffer, ZlibOptions, Buffer>(zlibInflate)],
  ["br", promisify<Buffer, ZlibOptions, Buffer>(brotliDecompress)],
]);

/** The bytes of a packed body. Undefined when they are more than the limit. */
export async function inflate(
  bytes: Buffer,
  encoding: string,
  limit: number,
): Promise<Buffer | Failure | undefined> {
  try {
    return await decoders.get(encoding)?.(bytes, { maxOutputLength: limit });
  } catch (error) {
    if (thrown(error).code === "ERR_BUFFER_TOO_LARGE") return undefined;
    const message = `The body is not what Content-Encoding: ${encoding} says. Compress it so, or leave out the header.`;
    return { code: "invalid_json", message };
  }
}
