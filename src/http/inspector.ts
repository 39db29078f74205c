import express, { type Response, type Router } from "express";
import { type InspectorFile, readInspectorFiles } from "../contract/inspector-files.js";
import { sendAdminFailure } from "./send.js";

/** Nothing from elsewhere, nothing inline: what a test sends can at most be shown. */
const headers = {
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-store",
} as const;

/** The inspector page of every world. */
export function inspectorRoutes(): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  let files: ReadonlyMap<string, InspectorFile> | undefined;

  router.get("/", (req, res) => {
    const [path = ""] = req.originalUrl.split("?");
    // The page asks for everything relative to itself; without the slash that would be elsewhere.
    if (!path.endsWith("/")) res.writeHead(308, { ...headers, Location: "__admin/" }).end();
    else send(res, "index.html");
  });
  router.get("/inspector.js", (_, res) => send(res, "inspector.js"));
  router.get("/inspector.css", (_, res) => send(res, "inspector.css"));
  return router;

  function send(res: Response, name: string): void {
    files ??= readInspectorFiles();
    const file = files?.get(name);
    if (file === undefined) {
      const message = "The inspector was not built. Run npm run build first.";
      sendAdminFailure(res, 404, { code: "not_built", message });
      return;
    }
    const length = Buffer.byteLength(file.text);
    res.writeHead(200, { ...headers, "Content-Type": file.type, "Content-Length": length }).end(file.text);
  }
}
