// The client of the User Group Service: retries, and a cache of tokens.
import { request } from "node:http";

export class UpstreamError extends Error {
  constructor(message, { status, attempts, cause } = {}) {
    super(message, { cause });
    this.name = "UpstreamError";
    this.status = status;
    this.attempts = attempts;
  }
}

/** One request. It does not notice that the response was cut: it parses what it has. */
export function send(method, url, { headers, body, timeoutMs = 10_000 }) {
  return new Promise((resolve, reject) => {
    const payload = JSON.stringify(body);
    // Without it, Node sends no body with a GET that a server can read.
    const length = { "Content-Length": Buffer.byteLength(payload) };
    const outgoing = request(
      url,
      { method, headers: { ...headers, ...length }, agent: false },
      (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (part) => {
          text += part;
        });
        response.on("error", () => {});
        response.on("close", () => resolve({ status: response.statusCode, text }));
      },
    );
    outgoing.setTimeout(timeoutMs, () =>
      outgoing.destroy(new UpstreamError(`user groups: no response within ${timeoutMs} ms`)),
    );
    outgoing.on("error", reject);
    outgoing.end(payload);
  });
}

const passesByItself = (error) => error.status >= 500 || error.status === 429 || error.code === "ECONNRESET";

export class UserGroups {
  tokens = new Map();
  retried = 0;

  constructor({ baseUrl, apiToken, path = "/api/user", retries = 0, timeoutMs }) {
    this.options = { baseUrl, apiToken, path, retries, timeoutMs };
  }

  /** Creates the group of a tenant, or finds it. */
  async ensure(tenant) {
    const { id, ...fields } = tenant;
    const body = await this.#try("GET", { user_group_id: id, ...fields });
    this.tokens.set(id, body.user_group.token);
    return { created: body.new_user_group, ...body.user_group };
  }

  /** Rotates with the token of the cache. */
  async rotate(id) {
    const token = await this.rotateToken(this.tokens.get(id));
    this.tokens.set(id, token);
    return token;
  }

  async rotateToken(token) {
    const body = await this.#try("POST", { current_token: token });
    return body.user_group.token;
  }

  async #try(method, body) {
    const { retries } = this.options;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#once(method, body);
      } catch (error) {
        if (!passesByItself(error)) throw error;
        if (attempt > retries) {
          const message = `user groups: gave up after ${attempt} attempts`;
          throw new UpstreamError(message, { attempts: attempt, status: error.status, cause: error });
        }
        this.retried++;
      }
    }
  }

  async #once(method, body) {
    const { baseUrl, apiToken, path, timeoutMs } = this.options;
    const headers = { Authorization: `Token ${apiToken}`, "Content-Type": "application/json" };
    const { status, text } = await send(method, baseUrl + path, { headers, body, timeoutMs });
    let parsed;
    try {
      parsed = JSON.parse(text);
    } catch (cause) {
      throw new UpstreamError("user groups: unreadable response", { cause });
    }
    if (status >= 400) throw new UpstreamError(`user groups: ${status} ${parsed.error?.message}`, { status });
    return parsed;
  }
}
