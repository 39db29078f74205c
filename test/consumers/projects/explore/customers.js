// The user's program: a user group for every customer.
import { request } from "node:http";

/** The group of a customer, made when there is none. */
export async function openGroup(service, id, name) {
  const { status, answer } = await call(service, "GET", { user_group_id: id, name });
  // Depends on created-status: nothing says that a new group is answered with 200.
  if (status !== 200) throw new Error(`the User Group Service answered ${status}`);
  return answer.user_group;
}

/** Another token for the group. The one that is at hand may have been rotated by somebody else. */
export async function renewToken(service, id, name, token) {
  const { answer } = await call(service, "POST", { current_token: token });
  if (answer.success === 1) return answer.user_group.token;
  const { token: newest } = await openGroup(service, id, name);
  const again = await call(service, "POST", { current_token: newest });
  return again.answer.user_group.token;
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
      const answer = Buffer.concat(await res.toArray()).toString();
      resolve({ status: res.statusCode, answer: JSON.parse(answer) });
    });
    req.on("error", reject);
    req.end(text);
  });
}
