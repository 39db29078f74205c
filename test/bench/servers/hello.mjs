// A hello world with Express, to compare the start of the command line with.
import express from "express";

const app = express();
app.get("/api/user", (_req, res) => void res.json({ hello: "world" }));
app.listen(Number(process.env.PORT), "127.0.0.1", () => console.log("listening"));
