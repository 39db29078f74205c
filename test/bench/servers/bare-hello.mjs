// A hello world with node:http: the shortest possible start of a server.
import { createServer } from "node:http";

const server = createServer((_req, res) => {
  res.writeHead(200, { "Content-Type": "application/json" }).end('{"hello":"world"}');
});
server.listen(Number(process.env.PORT), "127.0.0.1", () => console.log("listening"));
