// The user's program: a user group for every customer. It has three clients, which survive different failures.
const { request } = require("node:http");

/** One request, one try. Rejects without a complete JSON response. */
function call({ baseUrl, apiToken, timeoutMs }, method, body, { path = "/api/user", ...more } = {}) {
  const text = JSON.stringify(body);
  const headers = {
    Authorization: `Token ${apiToken}`,
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(text),
    ...more,
  };
  return new Promise((resolve, reject) => {
    const req = request(baseUrl + path, { method, headers, agent: false }, (res) => {
      const parsing = res.toArray().then((parts) => JSON.parse(Buffer.concat(parts).toString()));
      parsing.then((json) => resolve({ status: res.statusCode, json }), reject);
    });
    req.on("error", reject).end(text);
    if (timeoutMs === undefined) return;
    const timeout = setTimeout(() => req.destroy(new Error("timeout")), timeoutMs);
    req.on("close", () => clearTimeout(timeout));
  });
}

/** Tries again without a response, and after a 5xx or 429. */
async function callAgain(service, method, body) {
  for (let triesLeft = 4; ; triesLeft--) {
    try {
      const response = await call(service, method, body);
      if ((response.status < 500 && response.status !== 429) || triesLeft === 0) return response;
    } catch (error) {
      if (triesLeft === 0) throw error;
    }
  }
}

/** The token of the customer's group, which is created if it does not exist. */
async function tokenOf(service, id) {
  const { json } = await callAgain(service, "GET", { user_group_id: id, name: id });
  return json.user_group.token;
}

/** Another token. A rotation whose response was lost has taken effect: then get-or-create returns the token. */
async function renewToken(service, id, token) {
  const { json } = await callAgain(service, "POST", { current_token: token });
  return json.success === 1 ? json.user_group.token : tokenOf(service, id);
}

/** No retries: breaks under every failure. Accepts another path and more headers, for requests to reject. */
exports.hasty = (baseUrl, apiToken, timeoutMs = 3_000) => {
  const service = { baseUrl, apiToken, timeoutMs };
  return { call: (...args) => call(service, ...args) };
};

/** Retries, but no timeout: waits forever for a response. */
exports.patient = (baseUrl, apiToken) => {
  const service = { baseUrl, apiToken };
  return { tokenOf: (id) => tokenOf(service, id) };
};

/** Retries and timeouts: survives every single failure. */
exports.sturdy = (baseUrl, apiToken) => {
  const service = { baseUrl, apiToken, timeoutMs: 1_000 };
  return {
    tokenOf: (id) => tokenOf(service, id),
    renewToken: (id, token) => renewToken(service, id, token),
  };
};
