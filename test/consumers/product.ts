import type { Said } from "./failures.js";

/**
 * What must be said of the failed tests of `projects/product`: the sentence, and below it the faults. Empty where
 * nothing is known.
 */
type SaidOfProduct = Pick<Said, "terminal" | "next">;

const stale = "#3 sent a stale token ← #2 rotated it (assumed: old-token=rejected)";
const unknown =
  "Last rejected: #1 rotate was rejected with 404 ← The current_token belongs to no group of this team (may be intended)";

/** Tests of `shop.test.js`. They were written before what they describe. */
export const shop: Readonly<Record<string, SaidOfProduct>> = {
  "renews a cached token twice": {
    terminal: `Likely cause: ${stale}. Use the group's latest token.`,
    next: "keeps the token that #2 returned",
  },
  "counts 404 rows after an expected rejection": { terminal: unknown, next: "counts the rows" },
  "counts 404 rows after a rejection that it ignores": { terminal: unknown, next: "counts the rows" },
  "meets a 404 of billing after an expected rejection": { terminal: unknown, next: "looks at billing" },
  "meets a 503 of billing after a retry that helped": {
    terminal: "Fault 1 (get-or-create → 503) fired 1 of 1.",
    next: "looks at billing",
  },
  "compares a list of statuses": {
    terminal:
      'Last rejected: #2 get-or-create "" was rejected with 400 ← Invalid body for get-or-create: /user_group_id must not be empty (assumed: empty-strings=rejected) (may be intended)',
    next: "sends an id",
  },
  "arms a fault for a group that is never asked for": {
    terminal:
      'Fault 1 (get-or-create Acme → 503) has not fired. #1 user_group_id was "acme", not "Acme".',
    next: "corrects the match",
  },
  "arms a fault for more attempts than its client makes": {
    terminal:
      "Fault 1 (get-or-create → 503 ×3) fired 2 of 3. No other request came after it was armed.",
    next: "arms the fault for one attempt",
  },
  "meets an outage in all attempts": {
    terminal: "Fault 1 (get-or-create → 503 ×3) fired 3 of 3.",
    next: "arms the fault for two attempts",
  },
  "loses the connection in all attempts": {
    terminal:
      "Likely cause: #4 get-or-create acme failed ← Fault 1 reset the connection; the request had no effect. 4 of 4 attempts met fault 1. Fault 1 (get-or-create → connection reset, always) fired 4 times.",
    next: "arms the fault for fewer attempts",
  },
  "opens its circuit after an outage": {
    terminal: "Fault 1 (get-or-create → 503 ×2) fired 2 of 2.",
    next: "looks at the circuit breaker",
  },
  "uses the client of the test before": {
    terminal:
      'No request of this test reached the mock at URL. #1 get-or-create beta arrived in the world of the test "opens the shop": is its URL kept from there?',
    next: "makes the client anew for each test",
  },
  "throws before its first request": { terminal: "", next: "reads the error" },
  "never begins": { terminal: "", next: "reads the error" },
  "sends a number in a mapping": {
    terminal:
      "Likely cause: #1 get-or-create acme was rejected with 400 ← Invalid body for get-or-create: /mapping/40 must be string (assumed: mapping-values=rejected).",
    next: "sends a string, or finds out what the service does",
  },
  "renames a group that exists": {
    terminal:
      "#2 get-or-create acme: the group exists and was not changed (assumed: existing-group=unchanged); this request differs in name.",
    next: "finds out whether the service changes it",
  },
  "expects another reason of a rejection": {
    terminal: `Likely cause: ${stale}.`,
    next: "corrects what the test expects, or the program",
  },
  "wraps a rejection without its cause": {
    terminal:
      'Last rejected: #1 get-or-create "" was rejected with 400 ← Invalid body for get-or-create: /user_group_id must not be empty (assumed: empty-strings=rejected) (may be intended)',
    next: "sends an id",
  },
  "fails for its own reason after a rejection inside the program": {
    terminal:
      'Last rejected: #1 get-or-create "" was rejected with 400 ← Invalid body for get-or-create: /user_group_id must not be empty; /name must not be empty (assumed: empty-strings=rejected) (may be intended)',
    next: "reads the error",
  },
  "renews one token in two processes": {
    terminal:
      "Likely cause: #1 and #2 rotated the same token at once; #1 won (assumed: old-token=rejected). Look the group up to get its new token. Fault 1 (hold rotate ×2) fired 2 of 2.",
    next: "lets the loser look the group up",
  },
  "gives up in all attempts": {
    terminal:
      "Likely cause: #2 was delayed by 20,000 ms (fault 1); the client closed the connection after N ms. 2 of 2 attempts met fault 1. Fault 1 (get-or-create → delayed ×2) fired 2 of 2.",
    next: "arms the fault for one attempt",
  },
  "does not await a renewal": {
    terminal: "After the failure: #2 rotate acme arrived N ms later: was it awaited?",
    next: "adds the await",
  },
  "gets a 502 of the shop whose request was rejected": {
    terminal:
      "Likely cause: #1 get-or-create acme was rejected with 400 ← Invalid body for get-or-create: /name must not be empty (assumed: empty-strings=rejected).",
    next: "sends a name",
  },
  "quotes the whole response": {
    terminal:
      "Likely cause: #1 get-or-create acme was rejected with 400 ← Invalid body for get-or-create: /mapping/40 must be string (assumed: mapping-values=rejected).",
    next: "sends a string",
  },
  "sends a mapping of many numbers": {
    terminal:
      "Likely cause: #1 get-or-create acme was rejected with 400 ← Invalid body for get-or-create: /mapping/1 must be string; …",
    next: "sends strings",
  },
};
