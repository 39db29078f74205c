import type { Socket } from "node:net";

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
