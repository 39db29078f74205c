import { isIP } from "node:net";
import type { Request, RequestHandler } from "express";
import { crypto } from "../../foundation/crypto.js";
import { MockError } from "../contract/mock-error.js";
import type { Rejection } from "../service/result.js";

export interface GuardRules {
  /** The address that the server is bound to. */
  readonly host: string;
  /** Further host names that clients may use. */
  readonly allowHost: readonly string[];
  readonly adminToken: string | undefined;
  /** Called with every rejected request: they are in no journal. */
  readonly rejected?: ((request: RejectedRequest) => void) | undefined;
}

export type RejectedRequest = Pick<Request, "method" | "path"> & Pick<Rejection, "code" | "message">;

/**
 * Keeps web pages out. Any page can make a browser send requests to servers on this machine. With a host name that
 * resolves to 127.0.0.1 (DNS rebinding) it could also read the responses, so only these host names are accepted.
 */
export function guard(rules: GuardRules): Record<"pages" | "admin", RequestHandler> {
  const { host, allowHost, adminToken, rejected } = rules;
  const names = new Set(["localhost", host, ...allowHost].map(canonicalName));
  /** The Host that was accepted last: most clients send the same one with every request. */
  let lastHost: string | undefined;
  /** The rule for every path, before anything else happens. */
  const pages: RequestHandler = (req, _res, next) => {
    checkHost(req);
    if (isFromPage(req)) throw reject(req, "forbidden_origin", crossOrigin);
    next();
  };
  /** Requires the admin token, if there is one. Tools that wait for the mock know none, and ask for its health. */
  const admin: RequestHandler = (req, res, next) => {
    if (adminToken === undefined || req.path === "/health" || hasToken(req, adminToken)) return next();
    // With Basic, a browser asks for the token and sends it with every request of the page. Two header lines, because
    // Chromium reads only the first challenge of a line.
    res.set("WWW-Authenticate", ["Bearer", 'Basic realm="usergroup-mock"']);
    throw reject(req, "unauthorized", noToken);
  };
  return { pages, admin };

  function checkHost(req: Request): void {
    const { rawHeaders, headers } = req;
    let hosts = 0;
    // Names and values alternate. Node would keep the first Host.
    for (let n = 0; n < rawHeaders.length; n += 2) if (rawHeaders[n]?.toLowerCase() === "host") hosts++;
    if (hosts > 1) throw reject(req, "ambiguous_host", "There are several Host headers. Send only one.");
    // HTTP/1.0 needs no Host, and no browser uses it.
    if (!headers.host || headers.host === lastHost) return;
    const name = hostName(headers.host);
    if (name === undefined || !isAllowed(name)) {
      const message =
        `This host is not allowed: ${JSON.stringify(headers.host)}. Use 127.0.0.1 or localhost, or start with` +
        ` --allow-host ${name ?? "<name>"}. See node_modules/usergroup-mock/docs/troubleshooting.md.`;
      throw reject(req, "forbidden_host", message);
    }
    lastHost = headers.host;
  }

  function isAllowed(name: string): boolean {
    // These cannot be registered, so no web page can have them. Docker Desktop defines host.docker.internal.
    if (names.has(name) || /^(?:[a-z\d_-]+\.)+(?:localhost|internal)$/.test(name)) return true;
    if (isLoopback(host)) return isIP(name) !== 0 && (name.startsWith("127.") || name === "::1");
    // An IP address cannot be rebound; in a container, it may be an address of the host. The names are those that
    // only a private network can give: a service of compose or Kubernetes.
    return isIP(name) !== 0 || /^(?:[a-z\d_-]+|(?:[a-z\d_-]+\.)+(?:svc|svc\.cluster\.local))$/.test(name);
  }

  function reject(req: Request, code: Rejection["code"], message: string): MockError {
    rejected?.({ method: req.method, path: req.originalUrl, code, message });
    return new MockError(code, message);
  }
}

/** Whether only this machine can reach a server that is bound to this address. */
export function isLoopback(host: string): boolean {
  return host.toLowerCase() === "localhost" || host === "::1" || /^127(\.\d+){3}$/.test(host);
}

/** `localhost` of `LOCALHOST:4010`, `::1` of `[::1]:4010`; undefined if it is not an authority. */
function hostName(authority: string): string | undefined {
  const [, bracketed, plain] = /^(?:\[([0-9a-f:.]+)\]|([^\s:@/\\?#[\]]+))(?::\d*)?$/i.exec(authority) ?? [];
  const name = bracketed ?? plain;
  return name === undefined ? undefined : canonicalName(name);
}

function canonicalName(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}

const crossOrigin =
  "Cross-origin requests are not allowed. Send them from a program, or through a proxy on the page's own origin." +
  " In jsdom and happy-dom, run the test in the node environment. See node_modules/usergroup-mock/docs/troubleshooting.md.";

const noToken =
  "The admin API requires the token that was passed as --admin-token. Send Authorization: Bearer <token>.";

/** What a link may open: the page with the link cannot see it, and it changes nothing. */
const linkable = /^(?:\/worlds\/[^/]+)?(?:\/|\/__admin\/?|\/__admin\/report\.html)?$/;

/** Whether a page of another origin, or a prefetch, made a browser send the request. */
function isFromPage({ method, path, headers }: Request): boolean {
  const { origin, host, authorization = "", "sec-fetch-site": site } = headers;
  if ((headers["sec-purpose"] ?? headers.purpose)?.includes("prefetch")) return true;
  const isVisit = headers["sec-fetch-mode"] === "navigate" && headers["sec-fetch-dest"] === "document";
  const isLink = isVisit && method === "GET" && linkable.test(path);
  if ((site === "cross-site" || site === "same-site") && !isLink) return true;
  if (origin === undefined || origin === `http://${host}` || origin === `https://${host}`) return false;
  // A proxy of the page's own origin, such as that of a development server, passes on what the browser sent. A page
  // cannot add an Authorization header, because its preflight fails. The browser itself adds only Basic.
  return site !== "same-origin" && (authorization === "" || /^basic /i.test(authorization));
}

function hasToken({ headers }: Request, adminToken: string): boolean {
  const [, scheme = "", given = ""] = /^(Bearer|Basic) (\S+)$/i.exec(headers.authorization ?? "") ?? [];
  const isBasic = scheme.toLowerCase() === "basic";
  const token = isBasic ? /:(.*)$/s.exec(Buffer.from(given, "base64").toString())?.[1] : given;
  // Takes the same time for every value, so that timing reveals nothing about the token.
  const { createHash, timingSafeEqual } = crypto();
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(token ?? ""), digest(adminToken));
}
