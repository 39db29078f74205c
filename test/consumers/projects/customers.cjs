// The user's program: a user group for every customer. It calls the service in three ways; each survives other failures.
const { request } = require("node:http");

/** One call, one try. Rejects when no complete JSON answer comes. */
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
      const answered = res.toArray().then((parts) => JSON.parse(Buffer.concat(parts).toString()));
      answered.then((answer) => resolve({ status: res.statusCode, answer }), reject);
    });
    req.on("error", reject).end(text);
    if (timeoutMs === undefined) return;
    const timeout = setTimeout(() => req.destroy(new Error("timeout")), timeoutMs);
    req.on("close", () => clearTimeout(timeout));
  });
}

/** Tries again when no answer comes, or one that says "later". */
async function callAgain(service, method, body) {
  for (let triesLeft = 4; ; triesLeft--) {
    try {
      const answered = await call(service, method, body);
      if ((answered.status < 500 && answered.status !== 429) || triesLeft === 0) return answered;
    } catch (error) {
      if (triesLeft === 0) throw error;
    }
  }
}

/** The token of the customer's group, which is created when there is none. */
async function tokenOf(service, id) {
  const { answer } = await callAgain(service, "GET", { user_group_id: id, name: id });
  return answer.user_group.token;
}

/** Another token. A rotation whose answer was lost has taken effect: then get-or-create knows the token. */
async function renewToken(service, id, token) {
  const { answer } = await callAgain(service, "POST", { current_token: token });
  return answer.success === 1 ? answer.user_group.token : tokenOf(service, id);
}

/** No retries: breaks under every failure. Takes another path, and more headers, for what should be refused. */
exports.hasty = (baseUrl, apiToken, timeoutMs = 3_000) => {
  const service = { baseUrl, apiToken, timeoutMs };
  return { call: (...args) => call(service, ...args) };
};

/** Retries, but no timeout: waits for ever when no answer comes. */
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
