import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { exchange } from "../../src/foundation/exchange.js";

it("an exchange rejects after its time, even if the server sends a byte now and then", async () => {
  const endless = createServer((_req, res) => {
    const writing = setInterval(() => res.write(" "), 5);
    res.on("close", () => clearInterval(writing));
  });
  await once(endless.listen(0, "127.0.0.1"), "listening");
  const url = new URL(`http://127.0.0.1:${(endless.address() as AddressInfo).port}`);
  await expect(exchange(url, { method: "GET", headers: {}, timeoutMs: 100 })).rejects.toThrow(
    "no complete response within 1 s",
  );
  endless.close();
});
