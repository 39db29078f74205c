import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { clearTimeout, monotonicNow, setTimeout } from "../foundation/clock.js";

/** Ends a connection without an answer. */
export function breakOff(socket: Socket | null, reset: boolean): void {
  try {
    if (reset) socket?.resetAndDestroy();
  } catch {
    // A TLS socket cannot be reset: it is closed instead.
  }
  socket?.destroy();
}

/** Enough pieces for a client that shows progress. */
const maxPieces = 20;

/** The first piece is sent at once, the last one when the time is up. */
export function dribble(res: ServerResponse, bytes: Buffer, overMs: number): void {
  const size = Math.ceil(bytes.length / maxPieces);
  const last = Math.ceil(bytes.length / size) - 1;
  const began = monotonicNow();
  let timer: NodeJS.Timeout | undefined;
  const send = (piece: number) => {
    // The caller may be gone before the first piece, when its body had to be inflated.
    if (res.destroyed) return;
    const part = bytes.subarray(piece * size, (piece + 1) * size);
    if (piece === last) {
      res.end(part);
      return;
    }
    res.write(part);
    // Measured from the beginning: delays of single timers must not add up.
    const due = began + ((piece + 1) * overMs) / last;
    timer = setTimeout(() => send(piece + 1), Math.max(0, due - monotonicNow()));
  };
  res.once("close", () => clearTimeout(timer));
  send(0);
}
