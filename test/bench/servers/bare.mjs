// Bare node:http doing the work of the mock.
import { createServer } from "node:http";
import { createService } from "./service.mjs";

const service = createService();

const server = createServer((req, res) => {
  const entry = service.open(req.method, req.url, req.headers);
  /** @param {{ status: number, body: object }} reply */
  const respond = (reply) => {
    const text = JSON.stringify(reply.body);
    entry.reply = reply;
    entry.durationMs = performance.now() - entry.began;
    res.writeHead(reply.status, {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Length": Buffer.byteLength(text),
      "Cache-Control": "no-store",
      "Usergroup-Mock-Request": entry.id,
    });
    res.end(text);
  };
  if (req.url !== "/api/user") return respond({ status: 404, body: { success: 0 } });
  const team = service.teamOf(req.headers.authorization);
  if (team === undefined) return respond({ status: 401, body: { success: 0 } });
  /** @type {Buffer[]} */
  const chunks = [];
  req.on("data", (chunk) => chunks.push(chunk));
  req.on("end", () => {
    entry.text = Buffer.concat(chunks).toString();
    const body = JSON.parse(entry.text);
    respond(req.method === "GET" ? service.getOrCreate(team, body) : service.rotate(body));
  });
});
server.listen(Number(process.env.PORT), "127.0.0.1", () => console.log("listening"));
