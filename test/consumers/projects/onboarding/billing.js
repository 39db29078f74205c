// A second service that onboarding calls, on a port of its own.
import { createServer } from "node:http";

export async function startBilling(accounts = []) {
  const server = createServer((request, response) => {
    const known = accounts.includes(request.url.slice(1));
    response.writeHead(known ? 200 : 404).end(known ? "ok" : "no such account");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${server.address().port}`;
  return { url, stop: () => new Promise((resolve) => server.close(resolve)) };
}

export async function openAccount(billingUrl, id) {
  const response = await fetch(`${billingUrl}/${id}`, { headers: { connection: "close" } });
  if (!response.ok) throw new Error(`billing responded with ${response.status}`);
}
