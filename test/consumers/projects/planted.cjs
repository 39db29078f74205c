// The user's program, with planted bugs: customer n survives every failure of its two requests. If it has a bug, it does
// not survive one failure of one request.
const { hasty } = require("./customers.cjs");

const failures = ["unavailable", "throttled", "reset", "lost", "silent", "garbled", "cut"];

/** Every third customer has a bug: `rotate:acme#1=lost`. */
function bugOf(n) {
  if (n % 3 !== 0) return undefined;
  const request = n % 2 === 0 ? "get-or-create" : "rotate";
  return `${request}:acme#1=${failures[(n / 3) % failures.length]}`;
}

/** Repeats a request until it succeeds. Adds to `failed` what happened to the first try. */
async function persist(call, operation, method, body, failed) {
  for (let triesLeft = 4; ; triesLeft--) {
    const { status, json, error } = await call(method, body).catch((thrown) => ({ error: thrown }));
    if (error === undefined && status !== 503 && status !== 429) {
      // After a broken connection, the second try shows whether the first one took effect.
      const isLost = json.success === 0 || json.new_user_group === false;
      const last = failed.at(-1);
      if (last === `${operation}:acme#1=reset` && isLost) failed.splice(-1, 1, `${operation}:acme#1=lost`);
      return json;
    }
    if (triesLeft === 0) throw error ?? new Error(`status ${status}`);
    failed.push(`${operation}:acme#1=${failureIn(status, error)}`);
  }
}

function failureIn(status, error) {
  if (status === 503) return "unavailable";
  if (status === 429) return "throttled";
  if (error instanceof SyntaxError) return "garbled";
  if (error.message === "timeout") return "silent";
  return error.message === "aborted" ? "cut" : "reset";
}

/** Creates the group of a customer and rotates its token. */
async function renew({ url, apiToken }, n) {
  const { call } = hasty(url, apiToken, 1_000);
  const failed = [];
  const created = await persist(
    call,
    "get-or-create",
    "GET",
    { user_group_id: "acme", name: "Acme" },
    failed,
  );
  const body = { current_token: created.user_group.token };
  const rotated = await persist(call, "rotate", "POST", body, failed);
  if (failed.includes(bugOf(n))) throw new Error(`customer ${n} does not survive ${failed}`);
  return rotated.success === 1 ? rotated.user_group.token : created.user_group.token;
}

module.exports = { bugOf, renew };
