// Another part of the product: keys of customers, with a client of its own. Its errors are those of an HTTP library.
import { execFile } from "node:child_process";
import { request } from "node:http";
import { fileURLToPath } from "node:url";

/** The error of a response, with the response. */
export class ResponseError extends Error {
  constructor(response) {
    super("the key service did not accept the request");
    this.response = response;
  }
}

/** One exchange. Rejects without a JSON response. */
export async function call({ url, apiToken }, method, body) {
  const headers = { Authorization: `Token ${apiToken}`, "Content-Type": "application/json" };
  const text = JSON.stringify(body);
  if (method === "POST") {
    const response = await fetch(`${url}/api/user`, { method, headers, body: text });
    return { status: response.status, data: await response.json() };
  }
  return new Promise((resolve, reject) => {
    const length = { "Content-Length": Buffer.byteLength(text) };
    const req = request(`${url}/api/user`, { method, headers: { ...headers, ...length } }, (res) => {
      res
        .toArray()
        .then((parts) => ({ status: res.statusCode, data: JSON.parse(Buffer.concat(parts).toString()) }))
        .then(resolve, reject);
    });
    req.on("error", reject).end(text);
  });
}

export class KeyRing {
  #keys = new Map();

  constructor(service) {
    this.service = service;
  }

  /** The key of a customer, from the cache if it is there. */
  async key(id, fields = {}) {
    if (!this.#keys.has(id)) this.#keys.set(id, await this.lookUp(id, fields));
    return this.#keys.get(id);
  }

  async lookUp(id, fields = {}) {
    const { token } = await accepted(this.service, "GET", { user_group_id: id, name: id, ...fields });
    return token;
  }

  /** Changes the key of a customer. If the connection breaks, it tries once more with the same key. */
  async change(id) {
    const current_token = await this.key(id);
    const change = () => accepted(this.service, "POST", { current_token });
    const { token } = await change().catch((error) => {
      if (error instanceof ResponseError) throw error;
      return change();
    });
    return token;
  }

  /** Looks the key up if the cached one is stale. */
  async changeSafely(id) {
    try {
      return await this.change(id);
    } catch {
      this.#keys.delete(id);
      return this.change(id);
    }
  }
}

async function accepted(service, method, body) {
  const { status, data } = await call(service, method, body);
  if (status >= 400) throw new ResponseError({ status, data });
  return data.user_group;
}

/** A summary for the dashboard. It never throws. */
export async function summary(ring, id) {
  try {
    return { customer: id, status: 200, key: await ring.change(id) };
  } catch (error) {
    return { customer: id, status: error.response?.status ?? 0, key: undefined };
  }
}

/** Creates groups for many customers. Returns how many were created. */
export async function importCustomers(service, customers) {
  const calls = customers.map(({ id, name }) => call(service, "GET", { user_group_id: id, name }));
  const results = await Promise.allSettled(calls);
  return results.filter(({ status, value }) => status === "fulfilled" && value.status === 200).length;
}

/** Calls the service with patience for a rate limit. */
export async function callPatiently(service, method, body, attempts = 3) {
  for (let left = attempts; left > 0; left--) {
    const { status, data } = await call(service, method, body);
    if (status !== 429) return data;
  }
  throw new Error("still rate limited");
}

/** Charges a card at another service, which always declines it. */
export async function charge() {
  throw new Error('Payments: HTTP 400 {"error":"card declined"}');
}

/** For hooks: opens the ledger of the product, which is not there. */
export function openLedger(settings) {
  return settings.ledger.path;
}

/** Changes a key in another process. Rejects with what that has printed. */
export function changeInProcess({ url, apiToken }, token) {
  const worker = fileURLToPath(new URL("renew-in-process.mjs", import.meta.url));
  const env = { ...process.env, GROUPS_URL: url, GROUPS_TOKEN: apiToken };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [worker, token], { env }, (error, _, printed) => {
      if (error === null) resolve();
      else reject(new Error(`exit code ${error.code}\n${printed}`));
    });
  });
}
