import { existsSync, readFileSync } from "node:fs";
import type { IRoute, RequestHandler, Router } from "express";
import { MockError } from "../foundation/mock-error.js";
import { sendText } from "./send-json.js";

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

const routes: Readonly<Record<string, InspectorFile>> = {
  "/": "index.html",
  "/inspector.js": "inspector.js",
  "/inspector.css": "inspector.css",
};

/** The page at `/__admin/` of every world. */
export function inspectorRoutes(
  router: Router,
  refuseOtherMethods: (route: IRoute, allow: string) => void,
): void {
  for (const [path, file] of Object.entries(routes)) {
    const serve: RequestHandler = (req, res) => {
      res.set(pageHeaders);
      // The page uses relative URLs, which need the slash.
      if (path === "/" && !req.originalUrl.split("?")[0]?.endsWith("/"))
        res.status(308).location("__admin/").end();
      else sendText(res, file, readInspectorFile(file));
    };
    refuseOtherMethods(router.route(path).get(serve), "GET, HEAD");
  }
}

/** A person who opens a base URL in a browser wants to see the inspector. */
export const openInspector: RequestHandler = (req, res, next) => {
  const isVisit = req.method === "GET" && req.headers.accept?.includes("text/html");
  if (!isVisit || req.baseUrl === "/worlds") next();
  else res.status(302).location(`${req.baseUrl}/__admin/`).end();
};

/** Beside the bundle of the package. The sources, in tests, read them from dist/ too. */
const directories = ["../inspector/", "../../dist/inspector/"];

export function readInspectorFile(name: InspectorFile): string {
  const file = directories
    .map((directory) => new URL(`${directory}${name}`, import.meta.url))
    .find((url) => existsSync(url));
  if (file !== undefined) return readFileSync(file, "utf8");
  const advice =
    "In a clone, run npm run build. In a program that you bundle, keep the package usergroup-mock external.";
  throw new MockError("not_built", `The files of the inspector are missing. ${advice}`);
}
