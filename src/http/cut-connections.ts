import type { Socket } from "node:net";

const cutByStop = new WeakSet<Socket>();

/** Ends a connection because the server stops. The journal of its call must not blame the caller. */
export function cutConnection(socket: Socket): void {
  cutByStop.add(socket);
  socket.destroy();
}

export function wasCut(socket: Socket): boolean {
  return cutByStop.has(socket);
}
