// Tests that fail, each for another reason. Every framework runs them with its own assertions.
const { request } = require("node:http");

/** One request. Rejects without a complete response. */
function send({ baseUrl, apiToken, timeoutMs }, method, body) {
  const text = JSON.stringify(body);
  const headers = {
    Authorization: `Token ${apiToken}`,
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(text),
  };
  return new Promise((resolve, reject) => {
    const req = request(`${baseUrl}/api/user`, { method, headers }, async (res) => {
      const parts = await res.toArray();
      resolve({ status: res.statusCode, json: JSON.parse(Buffer.concat(parts).toString()) });
    });
    req.on("error", reject).end(text);
    if (timeoutMs === undefined) return;
    const giveUp = () => req.destroy(new Error(`timeout of ${timeoutMs} ms exceeded`));
    const timeout = setTimeout(giveUp, timeoutMs);
    req.on("close", () => clearTimeout(timeout));
  });
}

/** The program under test. Its errors have the status in their message. */
function program(mock, options = {}) {
  const service = { baseUrl: mock.url, apiToken: mock.apiToken, ...options };
  const succeed = async (method, body) => {
    const { status, json } = await send(service, method, body);
    if (status >= 400) throw new Error(`The service responded with ${status}`);
    return json.user_group;
  };
  return {
    send: (method, body) => send(service, method, body),
    create: (id, others) => succeed("GET", { user_group_id: id, name: id, ...others }),
    rotate: (token) => succeed("POST", { current_token: token }),
  };
}

exports.program = program;

let afterwards = () => {};

/** For hooks that run after each test. */
exports.cleanUp = async () => {
  await afterwards();
  afterwards = () => {};
};

/** Title → what the test does. `equal` is an assertion of the framework. */
exports.failures = {
  "sends a stale token": async ({ mock }) => {
    const { create, rotate } = program(mock);
    const { token } = await create("acme");
    await rotate(token);
    await rotate(token);
  },

  "sends a stale token after a lost response": async ({ mock }) => {
    const { create, rotate } = program(mock);
    const { token } = await create("acme");
    await mock.fault({ operation: "rotate", phase: "after", reset: true });
    await rotate(token).catch(() => rotate(token));
  },

  "misspells a field": async ({ mock, equal }) => {
    await program(mock).create("acme", { propertys: { region: "EU" } });
    const group = (await mock.groups()).find(({ provided_id }) => provided_id === "acme");
    equal(group.properties.region, "EU");
  },

  "uses another API token": async ({ mock }) => {
    await program(mock, { apiToken: "Test-Api-Token" }).create("acme");
  },

  "fails for its own reason after an expected 404": async ({ mock, equal }) => {
    const { status } = await program(mock).send("POST", { current_token: "unknown" });
    equal(status, 404);
    equal("acme".length, 5);
  },

  "fails for its own reason after two expected 503s": async ({ mock, equal }) => {
    await mock.fault({ status: 503, times: 2 });
    const { send } = program(mock);
    for (let n = 0; n < 2; n++) equal((await send("GET", { user_group_id: "a", name: "A" })).status, 503);
    equal("acme".length, 5);
  },

  "gives up before the response": async ({ mock }) => {
    const { token } = await program(mock).create("acme");
    await mock.fault({ operation: "rotate", delayMs: 20_000 });
    await program(mock, { timeoutMs: 300 }).rotate(token);
  },

  "does not await a request": async ({ mock, equal }) => {
    const { create, rotate } = program(mock);
    const { token } = await create("acme");
    void rotate(token);
    const group = (await mock.groups()).find(({ provided_id }) => provided_id === "acme");
    equal(group.rotations, 1);
  },

  "arms a fault that does not fire": async ({ mock }) => {
    await mock.fault({ operation: "get-or-create", match: { user_group_id: "Acme" }, status: 503 });
    await program(mock).create("acme");
    await mock.assertFaultsFired();
  },

  "rotates one token twice at once": async ({ mock }) => {
    const { token } = await mock.addGroup({ provided_id: "acme", name: "Acme" });
    const { rotate } = program(mock);
    const held = await mock.hold({ operation: "rotate", times: 2 });
    const rotating = Promise.all([rotate(token), rotate(token)]);
    await held.arrived();
    await held.release();
    await rotating;
  },

  "times out in a hold": async ({ mock }) => {
    const { create, rotate } = program(mock);
    const { token } = await create("acme");
    await mock.hold({ operation: "rotate", times: 2 });
    await rotate(token);
  },

  "uses another URL": async ({ mock }) => {
    await program({ url: "http://127.0.0.1:9", apiToken: mock.apiToken }).create("acme");
  },

  "sends a GET with fetch": async ({ mock }) => {
    const sending = fetch(`${mock.url}/api/user`, { method: "GET", body: "{}" });
    await sending.catch((cause) => {
      throw new Error("No group", { cause });
    });
  },

  "sends a number": async ({ mock, equal }) => {
    const { status } = await program(mock).send("GET", { user_group_id: 5, name: "A" });
    equal(status, 200);
  },

  "wraps the error of its client": async ({ mock }) => {
    const failing = program(mock).create("");
    await failing.catch((cause) => {
      throw new Error("The customer was not saved", { cause });
    });
  },

  "arms an invalid fault": async ({ mock }) => {
    await mock.fault({ operation: "rotate", match: { user_group_id: "acme" }, status: 503 });
  },

  "waits for a request that is not sent": async ({ mock }) => {
    const { token } = await mock.addGroup({ provided_id: "acme", name: "Acme" });
    const held = await mock.hold({ operation: "rotate", times: 2 }, { timeoutMs: 500 });
    await program(mock, { timeoutMs: 100 })
      .rotate(token)
      .catch(() => {});
    await held.arrived();
  },

  "reads the token of a rejected request": async ({ mock }) => {
    const { json } = await program(mock).send("POST", { current_token: "unknown" });
    return json.user_group.token;
  },

  "requires that nothing was rejected": async ({ mock }) => {
    await program(mock).send("GET", { user_group_id: "acme" });
    await mock.assertNoFailures();
  },

  "cleans up after its failure": async ({ mock }) => {
    const { create, send } = program(mock);
    afterwards = () => send("POST", { current_token: "unknown" });
    await create("acme");
    throw new Error("Inventory: 404 items are missing");
  },

  "fails among many requests": async ({ mock }) => {
    const { create, rotate } = program(mock);
    const { token } = await create("acme");
    for (let n = 0; n < 40; n++) await create(`group-${n}`);
    await rotate(token);
    for (let n = 0; n < 40; n++) await create(`group-${n}`);
    await rotate(token);
  },
};

/** Those that every framework runs. */
exports.some = [
  "sends a stale token",
  "fails for its own reason after an expected 404",
  "gives up before the response",
  "does not await a request",
  "times out in a hold",
  "sends a number",
  "cleans up after its failure",
];
