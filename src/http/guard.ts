import { createHash, timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";
import type { Request, RequestHandler, Response } from "express";
import { type FailureCode, failures } from "../contract/failures.js";
import { allowedMethods } from "../contract/operations.js";
import { isLoopback } from "./address.js";
import { sendFailure } from "./send-json.js";

export interface GuardRules {
  /** The address that the server is bound to. */
  readonly host: string;
  /** Further names that it answers to. */
  readonly allowHost: readonly string[];
  readonly adminToken: string | undefined;
}

/** Why a call does not come in. */
export interface Refusal {
  readonly code: FailureCode;
  readonly message: string;
}

/** A call that was refused. It reaches no journal, so a log is the only place that shows it. */
export interface RejectedRequest extends Refusal {
  readonly method: string;
  readonly path: string;
  readonly host: string | null;
  readonly origin: string | null;
}

export type RefusalListener = (call: RejectedRequest) => void;

/**
 * Keeps web pages out. Any page can send requests to servers on this machine. With a host name that resolves to
 * 127.0.0.1 (DNS rebinding) it could also read the answers, so the host name must be one of ours.
 */
export class Guard {
  readonly #rules: GuardRules;
  readonly #names: ReadonlySet<string>;
  readonly #refused: RefusalListener | undefined;
  /** The Host that was accepted last. Most clients always send the same one, and to check it takes 2 % of a request. */
  #acceptedHost = "";

  constructor(rules: GuardRules, refused: RefusalListener | undefined) {
    this.#rules = rules;
    this.#refused = refused;
    this.#names = new Set(["localhost", rules.host, ...rules.allowHost].map(canonicalName));
  }

  /** Rejects requests whose head is ambiguous, or is for another host. */
  readonly head: RequestHandler = (req, res, next) => {
    if (this.#admits(this.#refuseHead(req), req, res)) next();
  };

  /** Keeps pages of other sites from the admin API, which can change and show everything. */
  readonly admin: RequestHandler = (req, res, next) => {
    if (this.#admits(refuseOrigin(req) ?? this.#refuseStranger(req), req, res)) next();
  };

  /** Keeps pages from the service: they could not read a response, but they would create worlds and fill journals. */
  readonly service: RequestHandler = (req, res, next) => {
    const refusal = refusals[senderOf(req)];
    const { origin, "sec-fetch-site": site } = req.headers;
    // A preflight without Sec-Fetch headers learns which methods there are, and nothing else happens.
    if (refusal !== undefined && req.method === "OPTIONS" && origin !== undefined && site === undefined)
      res.status(204).set({ Allow: allowedMethods, "Cache-Control": "no-store" }).end();
    else if (this.#admits(refusal, req, res)) next();
  };

  /** Keeps a link or an image of a page from creating a world. The inspector opens the stream with `EventSource`. */
  readonly newEventStream: RequestHandler = (req, res, next) => {
    const sender = senderOf(req);
    const isEventSource = req.headers.accept?.includes("text/event-stream");
    const isProgram = sender === "program" || (sender === "browser" && isEventSource);
    if (this.#admits(isProgram ? undefined : crossOrigin, req, res)) next();
  };

  /** Whether there is no reason to reject the request. Otherwise it is rejected. */
  #admits(refusal: Refusal | undefined, req: Request, res: Response): boolean {
    if (refusal === undefined) return true;
    // With Basic, a browser asks for the token and sends it with every request of the page. Two header lines, because
    // Chromium reads only the first challenge of a line.
    const challenge =
      failures[refusal.code].status === 401
        ? { "WWW-Authenticate": ["Bearer", 'Basic realm="usergroup-mock"'] }
        : {};
    // Where the body ends is not known, or not trusted.
    const connection = refusal.code === "invalid_http" ? { Connection: "close" } : {};
    sendFailure(req, res, failures[refusal.code].status, refusal, { ...challenge, ...connection });
    const { method, originalUrl: path, headers } = req;
    const { host = null, origin = null } = headers;
    this.#refused?.({ ...refusal, method, path, host, origin });
    return false;
  }

  #refuseHead(req: Request): Refusal | undefined {
    const { host = "", "transfer-encoding": coding } = req.headers;
    const repeated = repeatedHeader(req);
    if (repeated !== undefined) {
      const isHost = repeated === "host";
      const code = isHost ? "ambiguous_host" : "ambiguous_header";
      return { code, message: `There are several ${repeated} headers. Send one.` };
    }
    if (coding !== undefined && coding.toLowerCase() !== "chunked") {
      const message = `Transfer-Encoding: ${coding} is not understood. Send chunked, or a Content-Length.`;
      return { code: "invalid_http", message };
    }
    if (req.httpVersionMajor !== 1) {
      const message = `This mock speaks HTTP/1.1, not HTTP/${req.httpVersion}.`;
      return { code: "unsupported_version", message };
    }
    // A target like http://evil.test/api/user overrides the Host header.
    if (host === this.#acceptedHost && req.absoluteTarget === undefined) return undefined;
    const target = /^[a-z]+:\/\/([^/?#]*)/i.exec(req.absoluteTarget ?? "")?.[1];
    for (const authority of target === undefined ? [host] : [target, host]) {
      // HTTP/1.0 needs no Host, and no browser uses it.
      if (authority === "") continue;
      const name = nameOf(authority);
      if (name === undefined || !this.#isOurs(name)) {
        const message =
          `This mock does not answer to the host ${JSON.stringify(authority)}. Call it as 127.0.0.1 or localhost, or` +
          ` start it with --allow-host ${name ?? "<name>"}. More: node_modules/usergroup-mock/docs/troubleshooting.md.`;
        return { code: "forbidden_host", message };
      }
    }
    this.#acceptedHost = host;
    return undefined;
  }

  #isOurs(name: string): boolean {
    if (this.#names.has(name) || isReserved(name)) return true;
    // An IP address cannot be rebound. In a container it may be one of the machine outside.
    const isOpen = !isLoopback(this.#rules.host);
    if (isIP(name) === 0) return isOpen && isOfPrivateNetwork(name);
    return isOpen || name.startsWith("127.") || name === "::1";
  }

  #refuseStranger({ headers }: Request): Refusal | undefined {
    const { adminToken } = this.#rules;
    if (adminToken === undefined) return undefined;
    const [, scheme = "", given = ""] = /^(Bearer|Basic) (\S+)$/i.exec(headers.authorization ?? "") ?? [];
    const token = scheme.toLowerCase() === "basic" ? passwordOf(given) : given;
    if (sameText(token, adminToken)) return undefined;
    const message = "The admin API asks for the token of --admin-token. Send Authorization: Bearer <token>.";
    return { code: "unauthorized", message };
  }
}

/** Headers that may come once. Node would keep the first value and drop the others. */
const singleHeaders = ["host", "origin", "content-type", "authorization", "content-encoding"];

function repeatedHeader({ headers, rawHeaders }: Request): string | undefined {
  // Names and values take turns in rawHeaders. Most requests repeat no header at all.
  if (2 * Object.keys(headers).length === rawHeaders.length) return undefined;
  const names = rawHeaders.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase());
  return singleHeaders.find((name) => names.indexOf(name) !== names.lastIndexOf(name));
}

/** `localhost` of `LOCALHOST:4010`, `::1` of `[::1]:4010`; undefined where it is no authority. */
function nameOf(authority: string): string | undefined {
  const [, bracketed, name, port] =
    /^(?:\[([0-9a-f:.]+)\]|([^\s:@/\\?#[\]]+))(?::(\d*))?$/i.exec(authority) ?? [];
  const found = bracketed ?? name;
  return found === undefined || Number(port ?? 0) > 65_535 ? undefined : canonicalName(found);
}

function canonicalName(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}

/** Nobody can register these names, so no web page can have them: host.docker.internal is Docker Desktop's. */
function isReserved(name: string): boolean {
  return /^(?:[a-z\d_-]+\.)+(?:localhost|internal)$/.test(name);
}

/** Names that only a private network can give: a service of compose or Kubernetes. */
function isOfPrivateNetwork(name: string): boolean {
  return /^(?:[a-z\d_-]+|(?:[a-z\d_-]+\.)+(?:svc|svc\.cluster\.local))$/.test(name);
}

/** Who made a request: a page of another site, perhaps a page, or a program (or a page through a proxy of its own site). */
type SenderKind = "other site" | "browser" | "program";

/**
 * The first row that applies decides. Browsers send no Sec-Fetch headers over plain HTTP to other machines, and none with
 * a WebSocket. But no page can make them send an Authorization header without a preflight, which fails.
 */
function senderOf({ headers }: Request): SenderKind {
  const { origin, host, authorization, "sec-fetch-site": site } = headers;
  const purpose = headers["sec-purpose"] ?? headers.purpose ?? headers["x-moz"] ?? "";
  if (/prefetch|prerender|preview/.test(String(purpose))) return "other site";
  if (site !== undefined) return site === "cross-site" ? "other site" : "program";
  if (authorization !== undefined) return "program";
  if (!isOwn(origin, host)) return "other site";
  return isBrowser(headers) ? "browser" : "program";
}

const crossOrigin: Refusal = {
  code: "forbidden_origin",
  message:
    "Cross-origin requests are not allowed. Send them from a program, or through a proxy on the page's own origin." +
    " See node_modules/usergroup-mock/docs/troubleshooting.md.",
};

/** Why the service rejects a request, by its sender. */
const refusals: Readonly<Record<SenderKind, Refusal | undefined>> = {
  "other site": crossOrigin,
  browser: {
    code: "forbidden_origin",
    message: "Requests of a browser need an Authorization header. Send Authorization: Token <api token>.",
  },
  program: undefined,
};

/** jsdom and Happy DOM call themselves browsers, and run in tests. */
function isBrowser({ "user-agent": agent = "" }: Request["headers"]): boolean {
  return agent.startsWith("Mozilla/") && !/jsdom|HappyDOM/i.test(agent);
}

/** A page of another origin may not steer the mock, nor listen to its events. */
function refuseOrigin({ method, headers }: Request): Refusal | undefined {
  const { origin, host, "sec-fetch-site": site, "sec-fetch-mode": mode, "sec-fetch-dest": place } = headers;
  // A link to the inspector may be followed: the page with the link cannot see what opens.
  if (method === "GET" && origin === undefined && mode === "navigate" && place === "document")
    return undefined;
  if (isOwn(origin, host) && (site === undefined || site === "same-origin" || site === "none"))
    return undefined;
  return crossOrigin;
}

function isOwn(origin: string | undefined, host: string | undefined): boolean {
  return origin === undefined || origin === `http://${host}` || origin === `https://${host}`;
}

function passwordOf(basic: string): string {
  return /:(.*)$/s.exec(Buffer.from(basic, "base64").toString())?.[1] ?? "";
}

/** Takes the same time for every value, so that timing reveals nothing about the token. */
function sameText(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}
