import { nextTurn } from "./clock.js";

const chunkSize = 64_000;

/** Joins short pieces of a text to chunks. Yields to the event loop after each chunk. */
export async function* inChunks(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = "";
  for await (const piece of pieces) {
    chunk += piece;
    if (chunk.length < chunkSize) continue;
    yield chunk;
    chunk = "";
    await nextTurn();
  }
  yield chunk;
}
