// The product's client of the service: with retries, a cache of tokens, a circuit breaker, and errors of its own.
import { request } from "node:http";

/** What the product throws. It has the error of the connection as its cause, if there is one. */
export class GroupServiceError extends Error {
  name = "GroupServiceError";
}

export class CircuitOpenError extends Error {
  name = "CircuitOpenError";
}

const options = { retries: 0, timeoutMs: undefined, breakAfter: Number.POSITIVE_INFINITY };

export class GroupClient {
  /** The token of each customer's group. */
  tokens = new Map();
  #failures = 0;

  constructor(service, given = {}) {
    this.service = service;
    this.options = { ...options, ...given };
  }

  /** The group of a customer, which is created if it does not exist. */
  async ensure(id, fields = {}) {
    const group = await this.#succeed("GET", { user_group_id: id, name: id, ...fields }, `ensure ${id}`);
    this.tokens.set(id, group.token);
    return group;
  }

  /** Another token for a customer. */
  async renew(id, { keepsCache = true } = {}) {
    const group = await this.#succeed("POST", { current_token: this.tokens.get(id) }, `renew ${id}`);
    if (keepsCache) this.tokens.set(id, group.token);
    return group;
  }

  /** One exchange, with retries after a 5xx or a broken connection. */
  async send(method, body) {
    if (this.#failures >= this.options.breakAfter) throw new CircuitOpenError("circuit open");
    for (let left = this.options.retries; ; left--) {
      try {
        const response = await exchange(this.service, this.options.timeoutMs, method, body);
        if (response.status < 500 || left === 0) return this.#count(response);
      } catch (error) {
        if (left > 0) continue;
        this.#failures++;
        throw error;
      }
    }
  }

  #count(response) {
    this.#failures = response.status < 500 ? 0 : this.#failures + 1;
    return response;
  }

  async #succeed(method, body, what) {
    let response;
    try {
      response = await this.send(method, body);
    } catch (cause) {
      if (cause instanceof CircuitOpenError) throw cause;
      throw new GroupServiceError(`could not ${what}`, { cause });
    }
    const { status, json } = response;
    if (status >= 400) throw new GroupServiceError(`could not ${what}: HTTP ${status}`);
    return json.user_group;
  }
}

function exchange({ url, apiToken }, timeoutMs, method, body) {
  const text = JSON.stringify(body);
  const headers = {
    Authorization: `Token ${apiToken}`,
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(text),
  };
  return new Promise((resolve, reject) => {
    const req = request(`${url}/api/user`, { method, headers, agent: false }, (res) => {
      const reading = res.toArray().then((parts) => JSON.parse(Buffer.concat(parts).toString()));
      reading.then((json) => resolve({ status: res.statusCode, json }), reject);
    });
    req.on("error", reject).end(text);
    if (timeoutMs === undefined) return;
    const timeout = setTimeout(
      () => req.destroy(new Error(`timeout of ${timeoutMs} ms exceeded`)),
      timeoutMs,
    );
    req.on("close", () => clearTimeout(timeout));
  });
}
