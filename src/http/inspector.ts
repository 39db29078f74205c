import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { IRoute, RequestHandler, Router, static as serveStatic } from "express";
import { MockError } from "../foundation/mock-error.js";

/** Nothing from another origin, nothing inline: what a test sent is shown, never run. */
export const pageHeaders = {
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-store",
} as const;

type InspectorFile = "index.html" | "inspector.js" | "inspector.css";

/** The page at `/__admin/` of every world. */
export function inspectorRoutes(
  router: Router,
  serveFiles: typeof serveStatic,
  refuseOtherMethods: (route: IRoute, allow: string) => void,
): void {
  const script = inspectorFile("inspector.js");
  const notBuilt: RequestHandler = () => {
    throw filesMissing();
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
    refuseOtherMethods(router.route(path).get(withSlash, serve), "GET, HEAD");
}

/** A person who opens a base URL in a browser wants to see the inspector. */
export const openInspector: RequestHandler = (req, res, next) => {
  const isVisit = req.method === "GET" && req.headers.accept?.includes("text/html");
  if (!isVisit || req.baseUrl === "/worlds") next();
  else res.status(302).location(`${req.baseUrl}/__admin/`).end();
};

/** Beside the bundle of the package, or beside the sources. */
const directories = ["../inspector/", "../generated/inspector/"];

function inspectorFile(name: InspectorFile): URL | undefined {
  return directories
    .map((directory) => new URL(directory + name, import.meta.url))
    .find((url) => existsSync(url));
}

export function readInspectorFile(name: InspectorFile): string {
  const file = inspectorFile(name);
  if (file === undefined) throw filesMissing();
  return readFileSync(file, "utf8");
}

function filesMissing(): MockError {
  const advice =
    "In a clone, run npm run build. In a program that you bundle, keep the package usergroup-mock external.";
  return new MockError("not_built", `The files of the inspector are missing. ${advice}`);
}
