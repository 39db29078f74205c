// The dependencies of Express that the bundle leaves out, and why. Most of Express is in them, and every user
// would load them in every test file. test/build/left-out.test.ts checks that nothing needs them.

/** Reading a member is allowed, because Express does it while it loads. Calling it is a defect. */
const refuse = `const refuse = () => { throw new Error("usergroup-mock is built without this package: see src/build/left-out.mjs"); };
module.exports = new Proxy(refuse, { get: () => refuse });`;

/** Express calls these two while it loads, and then at every step. */
const doNothing = "module.exports = () => () => {};";

/** What Express asks when it has to know whether to trust the headers of a proxy. */
const trustNobody = "module.exports = { compile: () => () => false };";

/** @type {Readonly<Record<string, { readonly why: string, readonly instead: string }>>} */
export const leftOut = {
  debug: { why: "DEBUG=* is meant for a user's own program, not for the mock", instead: doNothing },
  depd: {
    why: "it replaces Error.prepareStackTrace while it loads, which throws under --frozen-intrinsics",
    instead: doNothing,
  },
  "proxy-addr": { why: "the mock trusts no proxy: app.set is never called", instead: trustNobody },
  "body-parser": { why: "http/body.ts parses bodies; 600 kB of character tables", instead: refuse },
  qs: { why: "http/admin-routes.ts parses queries with URLSearchParams", instead: refuse },
  "serve-static": { why: "http/inspector.ts sends the three files of the page", instead: refuse },
  finalhandler: { why: "http/app.ts answers what no route answers, and every error", instead: refuse },
  // Of a request of Express, the mock uses url, originalUrl, params and protocol.
  accepts: { why: "every answer is JSON", instead: refuse },
  "type-is": { why: "http/body.ts reads Content-Type", instead: refuse },
  fresh: { why: "the mock never answers 304", instead: refuse },
  "range-parser": { why: "the mock sends no ranges", instead: refuse },
  // Of a response of Express, the mock uses locals. Answers are written with writeHead, write and end of Node.
  "content-disposition": { why: "res.attachment is never called", instead: refuse },
  "content-type": { why: "res.send is never called", instead: refuse },
  "cookie-signature": { why: "res.cookie is never called", instead: refuse },
  cookie: { why: "res.cookie is never called", instead: refuse },
  encodeurl: { why: "res.location is never called", instead: refuse },
  "escape-html": { why: "res.redirect is never called", instead: refuse },
  etag: { why: "res.send is never called", instead: refuse },
  "http-errors": { why: "res.sendFile is never called", instead: refuse },
  "mime-types": { why: "res.type is never called; 150 kB of media types", instead: refuse },
  "on-finished": { why: "res.sendFile is never called", instead: refuse },
  send: { why: "res.sendFile is never called", instead: refuse },
  statuses: { why: "res.sendStatus is never called", instead: refuse },
  vary: { why: "res.vary is never called", instead: refuse },
};

/**
 * Replaces each of these packages by the text beside it.
 * @returns {import("esbuild").Plugin}
 */
export function leaveOut() {
  return {
    name: "leave-out",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^[^./]/ }, ({ path }) =>
        Object.hasOwn(leftOut, path) ? { path, namespace: "left-out" } : undefined,
      );
      onLoad({ filter: /.*/, namespace: "left-out" }, ({ path }) => ({
        contents: leftOut[path]?.instead ?? "",
      }));
    },
  };
}
