// The mock with one bug, named on the command line, that the fuzzer has to find.
import { Server } from "node:http";

/** What each bug does to a request. @type {Record<string, (req: Req, res: Res) => void>} */
const bugs = {
  "fails-on-delete": (req, res) => {
    if (req.method === "DELETE" && req.url?.endsWith("/__admin/faults")) res.writeHead(500).end("{}");
  },
  "blocks-on-compressed-bodies": ({ url, headers }) => {
    const isSlow = url?.endsWith("/api/user") && headers["content-encoding"] !== undefined;
    const until = process.cpuUsage().user + (isSlow ? 600_000 : 0);
    while (process.cpuUsage().user < until);
  },
  "repeats-journal-ids": (req, res) => {
    if (req.url?.endsWith("/__admin/requests")) rewrite(res, /"id":2,/, '"id":1,');
  },
  "creates-again": (_, res) => rewrite(res, /"new_user_group":false/, '"new_user_group":true '),
};

/**
 * @typedef {import("node:http").IncomingMessage} Req
 * @typedef {import("node:http").ServerResponse} Res
 */

/** Changes the text of a response, but not its length. @param {Res} res @param {RegExp} from @param {string} to */
function rewrite(res, from, to) {
  const end = res.end.bind(res);
  /** @param {any} [body] */
  res.end = (body) => end(String(body).startsWith("{") ? String(body).replace(from, to) : body);
}

const bug = bugs[process.argv[2] ?? ""] ?? (() => {});
const emit = Server.prototype.emit;
/** @this {Server} @param {any[]} args */
Server.prototype.emit = function (...args) {
  const [event, req, res] = args;
  if (event === "request") bug(req, res);
  return (event === "request" && res.writableEnded) || Reflect.apply(emit, this, args);
};

// A dynamic import, because tsc would follow a static one into dist/.
const { startMock } = await import(new URL("../../dist/esm/index.js", import.meta.url).href);
const mock = await startMock();
process.once("SIGTERM", () => mock.stop().then(() => process.exit(143)));
console.log(`usergroup-mock listening on ${mock.url}`);
