import { posix } from "node:path";
import type { IRoute, RequestHandler, Router } from "express";
import { readInspectorFile } from "../report/inspector-files.js";

/** Nothing from another origin, nothing inline: what a test sent is shown, never run. */
export const pageHeaders = {
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-store",
} as const;

const files = {
  "/": "index.html",
  "/inspector.js": "inspector.js",
  "/inspector.css": "inspector.css",
} as const;

/** The page at `/__admin/` of every world. */
export function inspectorRoutes(
  router: Router,
  rejectOtherMethods: (route: IRoute, methods: string) => void,
): void {
  const withSlash: RequestHandler = (req, res, next) => {
    // The page uses relative URLs, which need the slash.
    if (req.path !== "/" || req.originalUrl.split("?")[0]?.endsWith("/")) next();
    else res.status(308).set(pageHeaders).location("__admin/").end();
  };
  for (const [path, file] of Object.entries(files)) {
    const send: RequestHandler = (_req, res) =>
      void res.set(pageHeaders).type(file).send(readInspectorFile(file));
    rejectOtherMethods(router.route(path).get(withSlash, send), "GET");
  }
}

/**
 * A person who opens a base URL wants to see the inspector, and a tool that asks for it waits until the mock is ready.
 * With Authorization, it is a client whose URL lacks the path.
 */
export const openInspector: RequestHandler = (req, res, next) => {
  if (req.headers.authorization !== undefined || req.baseUrl === "/worlds") return next();
  // Relative, because a proxy may add a prefix. The path of a world may lack the slash at its end.
  const [, last = ""] = /([^/?]*)(\?|$)/.exec(req.originalUrl) ?? [];
  res.status(302).location(posix.join(last, "__admin/")).end();
};
