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

async function call({ baseUrl, apiToken, retries = 0, timeoutMs = 5000 }, method, body) {
  const { status, answer } = await exchange(
    `${baseUrl}/api/user`,
    method,
    JSON.stringify(body),
    apiToken,
    timeoutMs,
  );
  if (status >= 500 && retries > 0)
    return call({ baseUrl, apiToken, retries: retries - 1, timeoutMs }, method, body);
  if (answer.success !== 1) throw new Error(`the User Group Service answered ${status}`);
  return answer;
}

function exchange(url, method, text, apiToken, timeout) {
  const headers = {
    Authorization: `Token ${apiToken}`,
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(text),
  };
  return new Promise((resolve, reject) => {
    const req = request(url, { method, headers, timeout }, async (res) => {
      const chunks = await res.toArray();
      resolve({ status: res.statusCode, answer: JSON.parse(Buffer.concat(chunks).toString()) });
    });
    req.on("timeout", () => req.destroy(new Error("the User Group Service did not answer in time")));
    req.on("error", reject);
    req.end(text);
  });
}
