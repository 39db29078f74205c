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
  /** Further host names that are accepted. */
  readonly allowHost: readonly string[];
  readonly adminToken: string | undefined;
}

interface Refusal {
  readonly code: FailureCode;
  readonly message: string;
}

/** A request that the guard rejected. It is in no journal, so the log is the only place that shows it. */
export interface RejectedRequest extends Refusal {
  readonly method: string;
  readonly path: string;
  readonly host: string | null;
  readonly origin: string | null;
}

export type RefusalListener = (request: RejectedRequest) => void;

/**
 * Keeps web pages out. Any page can send requests to servers on this machine. With a host name that resolves to
 * 127.0.0.1 (DNS rebinding) it could also read the responses, so only known host names are accepted.
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
    const refusal = refusePage(req);
    const { origin, "sec-fetch-site": site } = req.headers;
    // A preflight without Sec-Fetch headers learns which methods there are, and nothing else happens.
    if (refusal !== undefined && req.method === "OPTIONS" && origin !== undefined && site === undefined)
      res.status(204).set({ Allow: allowedMethods, "Cache-Control": "no-store" }).end();
    else if (this.#admits(refusal, req, res)) next();
  };

  /** Keeps a link or an image of a page from creating a world. The inspector opens the stream with `EventSource`. */
  readonly newEventStream: RequestHandler = (req, res, next) => {
    const isEventSource = req.headers.accept?.includes("text/event-stream");
    if (this.#admits(isEventSource ? undefined : refusePage(req), req, res)) next();
  };

  /** Whether there is no reason to reject the request. Otherwise it is rejected. */
  #admits(refusal: Refusal | undefined, req: Request, res: Response): boolean {
    if (refusal === undefined) return true;
    const { status } = failures[refusal.code];
    sendFailure(req, res, status, refusal, {
      // With Basic, a browser asks for the token and sends it with every request of the page. Two header lines, because
      // Chromium reads only the first challenge of a line.
      ...(status === 401 && { "WWW-Authenticate": ["Bearer", 'Basic realm="usergroup-mock"'] }),
      // Where the body ends is not known, or not trusted.
      ...(refusal.code === "invalid_http" && { Connection: "close" }),
    });
    const { method, originalUrl: path, headers } = req;
    const { host = null, origin = null } = headers;
    this.#refused?.({ ...refusal, method, path, host, origin });
    return false;
  }

  #refuseHead(req: Request): Refusal | undefined {
    const { host = "", "transfer-encoding": coding = "chunked" } = req.headers;
    const repeated = repeatedHeader(req);
    if (repeated !== undefined) {
      const isHost = repeated === "host";
      const code = isHost ? "ambiguous_host" : "ambiguous_header";
      return { code, message: `There are several ${repeated} headers. Send only one.` };
    }
    if (coding.toLowerCase() !== "chunked") {
      const message = `Transfer-Encoding: ${coding} is not supported. Use chunked, or send Content-Length.`;
      return { code: "invalid_http", message };
    }
    if (req.httpVersionMajor !== 1) {
      const message = `HTTP/${req.httpVersion} is not supported. Use HTTP/1.1.`;
      return { code: "unsupported_version", message };
    }
    // A target like http://evil.test/api/user overrides the Host header.
    if (host === this.#acceptedHost && req.absoluteTarget === undefined) return undefined;
    const [, target = ""] = /^[a-z]+:\/\/([^/?#]*)/i.exec(req.absoluteTarget ?? "") ?? [];
    for (const authority of [target, host]) {
      // HTTP/1.0 needs no Host, and no browser uses it.
      if (authority === "") continue;
      const name = nameOf(authority);
      if (name === undefined || !this.#isKnown(name)) {
        const message =
          `This host is not allowed: ${JSON.stringify(authority)}. Use 127.0.0.1 or localhost, or start with` +
          ` --allow-host ${name ?? "<name>"}. See node_modules/usergroup-mock/docs/troubleshooting.md.`;
        return { code: "forbidden_host", message };
      }
    }
    this.#acceptedHost = host;
    return undefined;
  }

  #isKnown(name: string): boolean {
    // These cannot be registered, so no web page can have them. Docker Desktop defines host.docker.internal.
    if (this.#names.has(name) || /^(?:[a-z\d_-]+\.)+(?:localhost|internal)$/.test(name)) return true;
    if (isLoopback(this.#rules.host)) return isIP(name) !== 0 && (name.startsWith("127.") || name === "::1");
    // An IP address cannot be rebound; in a container, it may be an address of the host. The names are those that
    // only a private network can give: a service of compose or Kubernetes.
    return isIP(name) !== 0 || /^(?:[a-z\d_-]+|(?:[a-z\d_-]+\.)+(?:svc|svc\.cluster\.local))$/.test(name);
  }

  #refuseStranger({ headers }: Request): Refusal | undefined {
    const { adminToken } = this.#rules;
    if (adminToken === undefined) return undefined;
    const [, scheme = "", given = ""] = /^(Bearer|Basic) (\S+)$/i.exec(headers.authorization ?? "") ?? [];
    const isBasic = scheme.toLowerCase() === "basic";
    const token = isBasic ? /:(.*)$/s.exec(Buffer.from(given, "base64").toString())?.[1] : given;
    // Takes the same time for every value, so that timing reveals nothing about the token.
    const digest = (text: string) => createHash("sha256").update(text).digest();
    if (timingSafeEqual(digest(token ?? ""), digest(adminToken))) return undefined;
    const message =
      "The admin API requires the token that was passed as --admin-token. Send Authorization: Bearer <token>.";
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

/** `localhost` of `LOCALHOST:4010`, `::1` of `[::1]:4010`; undefined if it is not an authority. */
function nameOf(authority: string): string | undefined {
  const [, bracketed, name, port] =
    /^(?:\[([0-9a-f:.]+)\]|([^\s:@/\\?#[\]]+))(?::(\d*))?$/i.exec(authority) ?? [];
  const found = bracketed ?? name;
  return found === undefined || Number(port ?? 0) > 65_535 ? undefined : canonicalName(found);
}

function canonicalName(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}

const crossOrigin: Refusal = {
  code: "forbidden_origin",
  message:
    "Cross-origin requests are not allowed. Send them from a program, or through a proxy on the page's own origin." +
    " See node_modules/usergroup-mock/docs/troubleshooting.md.",
};

const needsAuthorization: Refusal = {
  code: "forbidden_origin",
  message: "Requests from a browser need an Authorization header. Send Authorization: Token <api token>.",
};

/**
 * Rejects what a page of another origin can make a browser send: links, images, forms, prefetches. It cannot add an
 * Authorization header: that takes a preflight, which fails. A page that uses a proxy of its own origin is accepted.
 */
function refusePage({ headers }: Request): Refusal | undefined {
  const { origin, host, authorization, "sec-fetch-site": site, "user-agent": agent = "" } = headers;
  if (site === "cross-site") return crossOrigin;
  if (site === "same-origin") return undefined;
  // Once a person has typed the admin token, the browser adds it automatically, with Basic.
  if (authorization !== undefined && !/^basic /i.test(authorization)) return undefined;
  if (!isOwn(origin, host)) return crossOrigin;
  // Browsers send no Sec-Fetch headers over plain HTTP to other machines. jsdom and Happy DOM run in tests.
  const isBrowser = agent.startsWith("Mozilla/") && !/jsdom|HappyDOM/i.test(agent);
  return site !== undefined || isBrowser ? needsAuthorization : undefined;
}

/** A page of another origin may not control the mock, nor read its events. */
function refuseOrigin({ method, headers }: Request): Refusal | undefined {
  const { origin, host, "sec-fetch-site": site, "sec-fetch-mode": mode, "sec-fetch-dest": place } = headers;
  // A link to the inspector may be followed: the page with the link cannot see what opens.
  const isLink = method === "GET" && origin === undefined && mode === "navigate" && place === "document";
  const isSameOrigin =
    isOwn(origin, host) && (site === undefined || site === "same-origin" || site === "none");
  return isLink || isSameOrigin ? undefined : crossOrigin;
}

function isOwn(origin: string | undefined, host: string | undefined): boolean {
  return origin === undefined || origin === `http://${host}` || origin === `https://${host}`;
}
