import { existsSync, readFileSync } from "node:fs";
import type { Request, Response, Router } from "express";
import { acceptsGzip, sendAdminFailure } from "./send-json.js";

/** Nothing from another origin, nothing inline: what a test sent is shown, never run. */
export const pageHeaders = {
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-store",
} as const;

/** The inspector page of every world. */
export function inspectorRoutes(newRouter: typeof Router): Router {
  const router = newRouter({ caseSensitive: true, strict: true });
  let files: ReadonlyMap<string, string> | undefined;
  /** The files packed, by name: a page of 150 kB need not cross a network as it is. */
  const packed = new Map<string, Buffer>();

  router.all("/", async (req, res) => {
    const [path = ""] = req.originalUrl.split("?");
    if (!isRead(req)) refuseWrite(req, res);
    // The page uses relative URLs, which need the slash.
    else if (!path.endsWith("/")) res.writeHead(308, { ...pageHeaders, Location: "__admin/" }).end();
    else await send(res, "index.html");
  });
  for (const name of ["inspector.js", "inspector.css"]) {
    router.all(`/${name}`, (req, res) => (isRead(req) ? send(res, name) : refuseWrite(req, res)));
  }
  return router;

  async function send(res: Response, name: string): Promise<void> {
    files ??= readInspectorFiles();
    const text = files?.get(name);
    if (text === undefined) {
      sendAdminFailure(res, 404, { code: "not_built", message: notBuilt });
      return;
    }
    const headers = { ...pageHeaders, "Content-Type": `${types[name]}; charset=utf-8` };
    if (!acceptsGzip(res.req)) {
      res.writeHead(200, { ...headers, "Content-Length": Buffer.byteLength(text) }).end(text);
      return;
    }
    const bytes = packed.get(name) ?? (await import("node:zlib")).gzipSync(text);
    packed.set(name, bytes);
    const length = { "Content-Encoding": "gzip", "Content-Length": bytes.length };
    res.writeHead(200, { ...headers, ...length }).end(bytes);
  }
}

function isRead({ method }: Request): boolean {
  return method === "GET" || method === "HEAD";
}

function refuseWrite({ method }: Request, res: Response): void {
  const message = `${method} means nothing here; this page is there to be looked at: GET.`;
  sendAdminFailure(res, 405, { code: "method_not_allowed", message }, { Allow: "GET, HEAD" });
}

const types: Readonly<Record<string, string>> = {
  "index.html": "text/html",
  "inspector.js": "text/javascript",
  "inspector.css": "text/css",
};

export const notBuilt =
  "The files of the inspector are missing. In a clone, run npm run build. In a program that you bundle, keep the package usergroup-mock external.";

/** Beside the bundle of the package; the sources, under test, read them from dist/ too. */
const places = ["../inspector/", "../../dist/inspector/"];

/** The texts of the page's files by name. Undefined when the inspector was not built. */
export function readInspectorFiles(): ReadonlyMap<string, string> | undefined {
  const folder = places
    .map((place) => new URL(place, import.meta.url))
    .find((place) => existsSync(new URL("inspector.js", place)));
  if (folder === undefined) return undefined;
  return new Map(Object.keys(types).map((name) => [name, readFileSync(new URL(name, folder), "utf8")]));
}
