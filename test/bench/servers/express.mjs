// Plain Express 5 with express.json(), doing the work of the mock.
import express from "express";
import { createService } from "./service.mjs";

const service = createService();
const app = express();
app.disable("x-powered-by");
app.disable("etag");
app.use((req, res, next) => {
  res.locals.entry = service.open(req.method, req.url, req.headers);
  res.locals.team = service.teamOf(req.headers.authorization);
  if (res.locals.team === undefined) res.status(401).json({ success: 0 });
  else next();
});
app.use(express.json());

/** @param {import("express").Response} res @param {{ status: number, body: object }} reply */
const respond = (res, reply) => {
  const { entry } = res.locals;
  entry.reply = reply;
  entry.durationMs = performance.now() - entry.began;
  res.set({ "Cache-Control": "no-store", "Usergroup-Mock-Request": String(entry.id) });
  res.status(reply.status).json(reply.body);
};
app.get("/api/user", (req, res) => respond(res, service.getOrCreate(res.locals.team, req.body)));
app.post("/api/user", (req, res) => respond(res, service.rotate(req.body)));
app.listen(Number(process.env.PORT), "127.0.0.1", () => console.log("listening"));
