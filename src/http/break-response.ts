import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { clearTimeout, monotonicNow, setTimeout } from "../foundation/clock.js";
import type { Delivered } from "../world/planned-response.js";

/** Ends a connection without a response. */
export function breakOff(socket: Socket, reset: boolean): void {
  try {
    if (reset) socket.resetAndDestroy();
  } catch {
    // A TLS socket cannot be reset: it is closed instead.
  }
  socket.destroy();
}

/** Cuts between characters: half of a surrogate pair would arrive as another character. */
export function firstHalf(text: string): string {
  return text.slice(0, text.length / 2).replace(/[\ud800-\udbff]$/, "");
}

/** Enough for a client that shows progress. */
const maxPieces = 20;

/**
 * The first piece is sent at once, the last one when the time is up.
 * @param ended called with what was sent, just before the last piece, or when the client has disconnected
 */
export function dribble(
  res: ServerResponse,
  text: string,
  overMs: number,
  ended: (sent: Delivered) => void,
): void {
  const characters = [...text];
  const size = Math.ceil(characters.length / maxPieces);
  const last = Math.ceil(characters.length / size) - 1;
  const began = monotonicNow();
  let timer: NodeJS.Timeout | undefined;
  let sent = "";
  const send = (piece: number) => {
    const part = characters.slice(piece * size, (piece + 1) * size).join("");
    sent += part;
    if (piece === last) {
      res.off("close", disconnected);
      ended({ delivery: "complete", sentText: sent, receiveMs: monotonicNow() - began });
      res.end(part);
      return;
    }
    res.write(part);
    // Measured from the start: delays of single timers must not add up.
    const due = began + ((piece + 1) * overMs) / last;
    timer = setTimeout(() => send(piece + 1), Math.max(0, due - monotonicNow()));
  };
  const disconnected = () => {
    clearTimeout(timer);
    ended({ delivery: "caller-left", sentText: sent, receiveMs: monotonicNow() - began });
  };
  res.once("close", disconnected);
  send(0);
}
