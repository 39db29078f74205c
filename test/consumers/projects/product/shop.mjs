// The product: a shop whose customers have a user group each.
import { execFile } from "node:child_process";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { GroupClient } from "./group-client.mjs";

const worker = fileURLToPath(new URL("renew-in-process.mjs", import.meta.url));

/** Renews a token in another process. Rejects with what that has printed. */
export function renewInProcess({ url, apiToken }, token) {
  const env = { ...process.env, GROUPS_URL: url, GROUPS_TOKEN: apiToken };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [worker, token], { env }, (error, _, printed) => {
      if (error === null) resolve();
      else reject(new Error(`the worker failed: ${printed.trim()}`));
    });
  });
}

let shared;

/** The client of the whole process, which is made at its first use. */
export function sharedClient(service) {
  shared ??= new GroupClient(service);
  return shared;
}

/** The HTTP interface of the shop. It responds with 502 if the service fails. */
export async function serveShop(service) {
  const client = new GroupClient(service);
  const server = createServer(async (req, res) => {
    const customer = JSON.parse(decodeURIComponent(req.url.slice(1)));
    try {
      const { name } = await client.ensure(customer.id, customer.fields);
      res.end(JSON.stringify({ name }));
    } catch {
      res.writeHead(502).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    open: (customer) =>
      fetch(`http://127.0.0.1:${server.address().port}/${encodeURIComponent(JSON.stringify(customer))}`),
    close: () => server.close(),
  };
}

/** The shop shows this if the service is down. */
export async function nameOrFallback(client, id) {
  return client.ensure(id).then(
    ({ name }) => name,
    () => "a customer",
  );
}

/** Another service. It has nothing to do with user groups. */
export async function askBilling(status) {
  if (status >= 400) throw new Error(`Billing responded with ${status}`);
  return { status };
}
