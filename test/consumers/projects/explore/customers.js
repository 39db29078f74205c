// The user's program: a user group for every customer.
import { request } from "node:http";

/** The group of a customer, which is created if it does not exist. */
export async function openGroup(service, id, name) {
  const { status, response } = await call(service, "GET", { user_group_id: id, name });
  // Depends on created-status: no document promises 200 for a new group.
  if (status !== 200) throw new Error(`the User Group Service responded with ${status}`);
  return response.user_group;
}

/** Rotates the token of a group. Another client may have rotated the given one. */
export async function renewToken(service, id, name, token) {
  const { response } = await call(service, "POST", { current_token: token });
  if (response.success === 1) return response.user_group.token;
  const { token: newest } = await openGroup(service, id, name);
  const again = await call(service, "POST", { current_token: newest });
  return again.response.user_group.token;
}

function call({ baseUrl, apiToken }, method, body) {
  const text = JSON.stringify(body);
  const headers = {
    Authorization: `Token ${apiToken}`,
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(text),
  };
  return new Promise((resolve, reject) => {
    const req = request(`${baseUrl}/api/user`, { method, headers }, async (res) => {
      const received = Buffer.concat(await res.toArray()).toString();
      resolve({ status: res.statusCode, response: JSON.parse(received) });
    });
    req.on("error", reject);
    req.end(text);
  });
}
