import type { ServerResponse } from "node:http";
import type { Response } from "express";
import { dateNow } from "../../foundation/clock.js";
import { allowedMethods } from "../contract/operations.js";
import type { ServiceResponse } from "../service/respond.js";
import type { Delivered, Entry } from "../world/journal/entry.js";
import { cutByStop } from "./listen.js";

/**
 * Writes a response of the service, or breaks it as a fault demands. No other code does.
 * @param response undefined if the client has disconnected
 * @param ended called with what went over the wire, just before the client can have the last byte
 */
export function sendResponse(
  res: ServerResponse,
  response: ServiceResponse | undefined,
  entry: Entry,
  ended: (delivered: Delivered) => void,
): void {
  const { broken } = entry;
  const { socket } = res.req;
  if (response === undefined || !socket.writable) {
    ended({ delivery: socket.errored === cutByStop ? "none" : "caller-left" });
    return;
  }
  if (broken === "reset" || broken === "empty") {
    ended({ delivery: "none" });
    // A TLS socket cannot be reset: it is closed instead.
    if (broken === "reset" && !("encrypted" in socket)) socket.resetAndDestroy();
    else socket.destroy();
    return;
  }
  const { status, body } = response;
  const text = response.rawText ?? (body === undefined ? undefined : JSON.stringify(body));
  const headers = responseHeaders(response, text, entry);
  if (headers.Connection === "close") res.setHeader("Connection", "close");
  res.writeHead(status, headers);
  // Node adds this header itself. With it, the journal has all headers that are sent.
  headers.Connection ??= String(
    res.getHeader("Connection") ?? (res.shouldKeepAlive ? "keep-alive" : "close"),
  );
  // What is not listed above does not compile here.
  const isHalf: "truncate" | undefined = broken;
  if (text !== undefined && isHalf) {
    // Not half of a surrogate pair, which would arrive as another character.
    const half = text.slice(0, text.length / 2).replace(/[\ud800-\udbff]$/, "");
    ended({ delivery: "cut", headers, sentText: half });
    res.write(half, () => res.socket?.destroy());
  } else {
    // A client that has closed its side in the middle of its request may not get the response.
    const delivery = socket.readableEnded && !res.req.complete ? "caller-left" : "complete";
    ended({ delivery, headers, sentText: res.req.method === "HEAD" ? undefined : text });
    // Node encodes the headers like the string that follows them; before bytes, they are Latin-1. To send bytes takes longer.
    if (text === undefined) res.end();
    else endResponse(res, isAscii(response.headers) ? text : Buffer.from(text));
  }
}

function isAscii(headers: ServiceResponse["headers"]): boolean {
  for (const name in headers) if (/[^ -~]/.test(headers[name] ?? "")) return false;
  return true;
}

function responseHeaders(
  response: ServiceResponse,
  text: string | undefined,
  { id, decisions, rejection }: Entry,
): Headers {
  const code = rejection?.code;
  const date = httpDate();
  const headers: Headers =
    text === undefined
      ? {
          Allow: allowedMethods,
          "Cache-Control": "no-store",
          "X-Content-Type-Options": "nosniff",
          "Usergroup-Mock-Request": id,
          Date: date,
        }
      : {
          "Content-Type": response.type ?? jsonType,
          "Content-Length": Buffer.byteLength(text),
          "Cache-Control": "no-store",
          "X-Content-Type-Options": "nosniff",
          "Usergroup-Mock-Request": id,
          Date: date,
        };
  if (code === "method_not_allowed") headers.Allow = allowedMethods;
  if (response.situation !== undefined) headers["Usergroup-Mock-Situation"] = response.situation;
  const assumed = decisions.toString();
  if (assumed !== "") headers["Usergroup-Mock-Assumed"] = assumed;
  if (response.status === 401) headers["WWW-Authenticate"] = "Token";
  // The rest of the body would be taken for another request.
  if (code === "payload_too_large" || code === "missing_body") headers.Connection = "close";
  if (response.headers !== undefined) replaceHeaders(headers, response.headers);
  makeSafe(headers, text !== undefined);
  return headers;
}

/** Adds headers of a fault or a profile. null leaves out one of ours. */
function replaceHeaders(headers: Headers, own: NonNullable<ServiceResponse["headers"]>): void {
  for (const name in own) {
    const value = own[name];
    if (value === null) delete headers[name];
    else if (value !== undefined) headers[name] = value;
  }
}

let latest = { second: 0, date: "" };

/** The `Date` header, formatted once a second: with the headers in one literal, that is worth 5 % of a request. */
function httpDate(): string {
  const second = Math.floor(dateNow() / 1000);
  if (second !== latest.second) latest = { second, date: new Date(second * 1000).toUTCString() };
  return latest.date;
}

/** Sends a response of the admin API, or to a request that reaches no world. */
export function sendJson(res: Response, status: number, json: unknown): void {
  const text = JSON.stringify(json);
  endResponse(
    res
      .status(status)
      .type("json")
      .set({ "Cache-Control": "no-store", ...nosniff }),
    text,
  );
}

/** Sends a response without a body that is in no journal. */
export function sendEmpty(res: Response, status: number): void {
  res.status(status).set(nosniff).end();
}

/**
 * Ends a response, perhaps before its request has arrived. Node would then close the connection while bytes still come
 * in, which resets it, and a client that is still writing would see only the reset. So only our side is closed.
 * @param body the whole body
 */
export function endResponse(res: ServerResponse, body: string | Buffer): void {
  if (!res.headersSent) res.setHeader("Content-Length", Buffer.byteLength(body));
  const isLast = !res.shouldKeepAlive || res.getHeader("Connection") === "close";
  if (res.req.complete || !isLast || res.req.method === "HEAD") {
    // `end(body)` would give the socket a second, empty chunk, and Node gathers several chunks slowly: 5 % of a request.
    res.write(body);
    res.socket?.uncork();
    res.end();
  } else {
    res.req.resume();
    res.write(body, () => res.req.socket.end());
  }
}

/** A signal that is aborted when the client disconnects. */
export function watchClient(res: ServerResponse): AbortSignal {
  const gone = new AbortController();
  if (res.destroyed) gone.abort();
  else res.once("close", () => gone.abort());
  return gone.signal;
}

/** The headers of a response. */
export type Headers = Record<string, string | number | string[]>;

/** The Content-Type of all responses to the service that no profile and no fault changes. */
const jsonType = "application/json; charset=utf-8";

/** Of every response: a browser never takes it for another type than it says. */
export const nosniff = { "X-Content-Type-Options": "nosniff" } as const;

/** A profile or a fault can send a page with scripts, which would run in the origin of the admin API. */
const sandbox = "sandbox";

/**
 * Makes a response harmless in a browser. Changes the headers.
 * @param headers all that will be sent, in our spelling
 * @param hasBody whether there is anything that a browser could show
 */
export function makeSafe(headers: Headers, hasBody: boolean): void {
  headers["X-Content-Type-Options"] = "nosniff";
  const type = headers["Content-Type"];
  if (!hasBody || type === jsonType || isJsonType(type)) return;
  const own = headers["Content-Security-Policy"];
  // A browser obeys all policies of a list.
  headers["Content-Security-Policy"] = own === undefined ? sandbox : `${own}, ${sandbox}`;
}

/** Strict, because browsers accept lists, and take the last type of them. */
function isJsonType(type: Headers[string] | undefined): boolean {
  return /^application\/(?:[\w.-]+\+)?json *(?:; *charset="?[\w-]+"? *)?$/i.test(String(type));
}
