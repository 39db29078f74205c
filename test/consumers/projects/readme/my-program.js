// The user's program: what the README calls my-program.js.
import { request } from "node:http";

export async function createUserGroup({ id, name = id, ...service }) {
  const { user_group } = await call(service, "GET", { user_group_id: id, name });
  return user_group;
}

export async function rotateToken({ token, ...service }) {
  const { user_group } = await call(service, "POST", { current_token: token });
  return user_group.token;
}

/** Tries again after a failure that may pass: no answer, half an answer, 429 and 5xx. */
async function call({ retries = 0, ...service }, method, body) {
  let failure;
  for (let attempt = 0; attempt <= retries; attempt++) {
    try {
      const { status, answer } = await exchange(service, method, JSON.stringify(body));
      if (answer.success === 1) return answer;
      failure = new Error(`the User Group Service answered ${status}`);
      if (status < 500 && status !== 429) break;
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

function exchange({ baseUrl, apiToken, timeoutMs = 5000 }, method, text) {
  const headers = {
    Authorization: `Token ${apiToken}`,
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(text),
  };
  return new Promise((resolve, reject) => {
    const options = { method, headers, timeout: timeoutMs };
    const req = request(`${baseUrl}/api/user`, options, (res) => {
      const parse = (chunks) => JSON.parse(Buffer.concat(chunks).toString());
      res
        .toArray()
        .then((chunks) => ({ status: res.statusCode, answer: parse(chunks) }))
        .then(resolve, reject);
    });
    req.on("timeout", () => req.destroy(new Error("the User Group Service did not answer in time")));
    req.on("error", reject);
    req.end(text);
  });
}
