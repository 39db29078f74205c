import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { IRoute, RequestHandler, Router, static as serveStatic } from "express";
import { findInspectorFile, inspectorMissing } from "../report/inspector-files.js";

/** Nothing from another origin, nothing inline: what a test sent is shown, never run. */
export const pageHeaders = {
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-store",
} as const;

/** The page at `/__admin/` of every world. */
export function inspectorRoutes(
  router: Router,
  serveFiles: typeof serveStatic,
  rejectOtherMethods: (route: IRoute, methods: string) => void,
): void {
  const script = findInspectorFile("inspector.js");
  const notBuilt: RequestHandler = () => {
    throw inspectorMissing();
  };
  const serve =
    script === undefined
      ? notBuilt
      : serveFiles(dirname(fileURLToPath(script)), {
          redirect: false,
          acceptRanges: false,
          cacheControl: false,
          etag: false,
          lastModified: false,
          setHeaders: (res) => void res.set(pageHeaders),
        });
  const withSlash: RequestHandler = (req, res, next) => {
    // The page uses relative URLs, which need the slash.
    if (req.path !== "/" || req.originalUrl.split("?")[0]?.endsWith("/")) next();
    else res.status(308).set(pageHeaders).location("__admin/").end();
  };
  for (const path of ["/", "/inspector.js", "/inspector.css"])
    rejectOtherMethods(router.route(path).get(withSlash, serve), "GET");
}

/**
 * A person who opens a base URL wants to see the inspector, and a tool that asks for it waits until the mock is ready.
 * With Authorization, it is a client that lost its path.
 */
export const openInspector: RequestHandler = (req, res, next) => {
  if (req.headers.authorization !== undefined || req.baseUrl === "/worlds") next();
  else res.status(302).location(`${req.baseUrl}/__admin/`).end();
};
