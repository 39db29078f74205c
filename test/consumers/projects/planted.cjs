// The user's program, with planted bugs: customer n survives every single failure of its two requests, except for one
// failure at one request if it has a bug.
const { hasty } = require("./customers.cjs");

const failures = ["unavailable", "throttled", "reset", "lost", "silent", "garbled", "cut"];

/** Every third customer has a bug: `rotate:acme#1=lost`. */
function bugOf(n) {
  if (n % 3 !== 0) return undefined;
  const request = n % 2 === 0 ? "get-or-create" : "rotate";
  return `${request}:acme#1=${failures[(n / 3) % failures.length]}`;
}

/** Sends a request until it succeeds. Adds the failures of earlier tries to `met`. */
async function persist(call, operation, method, body, met) {
  for (let triesLeft = 4; ; triesLeft--) {
    const { status, answer, error } = await call(method, body).catch((thrown) => ({ error: thrown }));
    if (error === undefined && status !== 503 && status !== 429) {
      // After a broken connection, the second try shows whether the first one took effect.
      const isLost = answer.success === 0 || answer.new_user_group === false;
      const last = met.at(-1);
      if (last === `${operation}:acme#1=reset` && isLost) met.splice(-1, 1, `${operation}:acme#1=lost`);
      return answer;
    }
    if (triesLeft === 0) throw error ?? new Error(`the response was ${status}`);
    met.push(`${operation}:acme#1=${failureIn(status, error)}`);
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
  const met = [];
  const created = await persist(call, "get-or-create", "GET", { user_group_id: "acme", name: "Acme" }, met);
  const body = { current_token: created.user_group.token };
  const rotated = await persist(call, "rotate", "POST", body, met);
  if (met.includes(bugOf(n))) throw new Error(`customer ${n} does not survive ${met}`);
  return rotated.success === 1 ? rotated.user_group.token : created.user_group.token;
}

module.exports = { bugOf, renew };
