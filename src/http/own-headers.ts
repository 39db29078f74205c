import type { ServerResponse } from "node:http";
import { dateNow } from "../foundation/clock.js";
import type { Headers } from "./send-json.js";

let second = 0;
let date = "";

/** The `Date` header. Made once a second. */
export function httpDate(): string {
  const now = Math.floor(dateNow() / 1000);
  if (now !== second) {
    second = now;
    date = new Date(now * 1000).toUTCString();
  }
  return date;
}

/** The `Connection` header: what the answer asks for, what a stop of the server asks for, or what the caller can do. */
export function connectionOf(res: ServerResponse, headers: Headers): string {
  const asked = headers.Connection ?? res.getHeader("Connection");
  return asked === undefined ? (res.shouldKeepAlive ? "keep-alive" : "close") : String(asked);
}
