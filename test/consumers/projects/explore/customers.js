// The user's program: a user group for every customer.
import { hasty } from "../customers.cjs";

const call = ({ baseUrl, apiToken }, ...args) => hasty(baseUrl, apiToken).call(...args);

/** The group of a customer, which is created if it does not exist. */
export async function openGroup(service, id, name) {
  const { status, json } = await call(service, "GET", { user_group_id: id, name });
  // Depends on created-status: no document promises 200 for a new group.
  if (status !== 200) throw new Error(`the User Group Service responded with ${status}`);
  return json.user_group;
}

/** Rotates the token of a group. Another client may have rotated the given one. */
export async function renewToken(service, id, name, token) {
  const { json } = await call(service, "POST", { current_token: token });
  if (json.success === 1) return json.user_group.token;
  const { token: newest } = await openGroup(service, id, name);
  const again = await call(service, "POST", { current_token: newest });
  return again.json.user_group.token;
}
