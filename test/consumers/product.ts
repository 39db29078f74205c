import type { Said } from "./failures.js";

/**
 * What must be said of the failed tests of `projects/product`: the sentence, and below it the faults. Empty where
 * nothing is known.
 */
type SaidOfProduct = Said;

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
    terminal: 'Fault 1 (get-or-create Acme → 503) has not fired. #1 user_group_id was "acme", not "Acme".',
    next: "corrects the match",
  },
  "arms a fault for more attempts than its client makes": {
    terminal: "Fault 1 (get-or-create → 503 ×3) fired 2 of 3. No other request came after it was armed.",
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
      "Likely cause: #2 was delayed by 20,000 ms (fault 1); the client closed the connection after N ms. 2 of 2 attempts met fault 1. Fault 1 (get-or-create → delayed by 20,000 ms ×2) fired 2 of 2.",
    next: "arms the fault for one attempt",
  },
  "does not await a renewal": {
    terminal: "After the failure: #2 rotate acme arrived later: was it awaited?",
    next: "adds the await",
  },
  "gets a 502 of the shop whose request was rejected": {
    terminal:
      "Last rejected: #1 get-or-create acme was rejected with 400 ← Invalid body for get-or-create: /name must not be empty (assumed: empty-strings=rejected) (may be intended)",
    next: "sends a name",
  },
  "quotes the whole response": {
    terminal:
      "Likely cause: #1 get-or-create acme was rejected with 400 ← Invalid body for get-or-create: /mapping/40 must be string (assumed: mapping-values=rejected).",
    next: "sends a string",
  },
  "sends a mapping of many numbers": {
    terminal:
      "Likely cause: #1 get-or-create acme was rejected with 400 ← Invalid body for get-or-create: /mapping/1 must be string; /mapping/2 must be string; /mapping/3 must be string; and 57 more (assumed: mapping-values=rejected).",
    next: "sends strings",
  },
};

const lastRejected = (what: string) => `Last rejected: ${what} (may be intended)`;
const noName = (group: string) =>
  `${group} was rejected with 400 ← Invalid body for get-or-create: /name must not be empty (assumed: empty-strings=rejected)`;

/** Tests of `keys.test.js`. They were written after the code. */
export const keys: Readonly<Record<string, SaidOfProduct>> = {
  "changes a key whose response is lost": {
    terminal:
      "Likely cause: #3 sent a stale token ← #2 rotated it, its response was lost (fault 1) (assumed: old-token=rejected). Look the group up to get its new token. Fault 1 (rotate → response lost) fired 1 of 1.",
    next: "looks the group up before it tries again",
  },
  "adds up wrongly after it has recovered": { terminal: lastRejected(stale), next: "adds up" },
  "cannot reach port 404 of a printer": { terminal: unknown, next: "looks at the printer" },
  "has its card declined after a rejection inside the program": {
    terminal: lastRejected(noName("#1 get-or-create acme")),
    next: "looks at the card",
  },
  "expects a rejection that does not come": { terminal: "", next: "reads the error" },
  "misspells the mapping": {
    terminal: "#1 get-or-create acme: field maping is not in the interface, ignored; did you mean mapping?",
    next: "corrects the field",
  },
  "waits for a hold that nobody releases": {
    terminal:
      "Likely cause: #1 waits in the hold of get-or-create; `release()` was not called. Fault 1 (hold get-or-create) fired 1 of 1.",
    next: "releases it",
  },
  "arms a fault for the second change of one": {
    terminal: "Fault 1 (rotate → 500) has not fired. #2 it matched, but skip excluded it.",
    next: "changes the key twice, or removes skip",
  },
  "arms two faults, of which one fires": {
    terminal:
      "Fault 1 (get-or-create → 503) fired 1 of 1. Fault 2 (rotate → 429) has not fired. #1 it was get-or-create, not rotate.",
    next: "changes a key",
  },
  "imports one customer less": {
    terminal: lastRejected(noName("#2 get-or-create b")),
    next: "sends a name",
  },
  "starts a process with another URL": {
    terminal:
      "No request of this test reached the mock at URL. Does your program use this URL, and was the request awaited? If nock or msw is active, let requests to the mock pass.",
    next: "corrects the URL",
  },
  "refreshes in the background": {
    terminal: "After the failure: #2 get-or-create acme arrived later: was it awaited?",
    next: "awaits the refresh",
  },
  "shows the summary of a stale key": {
    terminal: `Likely cause: ${stale}. Use the group's latest token.`,
    next: "keeps the new key",
  },
  "asserts a status on several lines": {
    terminal:
      "Likely cause: #1 get-or-create acme was rejected with 400 ← Invalid body for get-or-create: /mapping/40 must be string (assumed: mapping-values=rejected).",
    next: "sends a string",
  },
  "asserts a status in a function": {
    terminal:
      "Likely cause: #1 rotate was rejected with 404 ← The current_token belongs to no group of this team. Use the group's latest token.",
    next: "sends the token of the group",
  },
  "is rate limited for ever": {
    terminal: "Fault 1 (get-or-create → 429, always) fired 3 times.",
    next: "arms the fault twice",
  },
  "gets broken JSON": {
    terminal:
      "Likely cause: #1 get-or-create acme failed ← Fault 1 responded with broken JSON; the request had no effect. Your program can send it again. Fault 1 (get-or-create → broken JSON) fired 1 of 1.",
    next: "sends it again",
  },
  "checks its faults at the end": {
    terminal: "",
    page: "Fault 1 (rotate → 503) has not fired. #1 it was get-or-create, not rotate.",
    next: "reads the error, which says it",
  },
  "changes the key of another team": {
    terminal:
      "Likely cause: #1 rotate acme was rejected with 404 ← The current_token belongs to a group of another team (assumed: foreign-token=rejected). Use an API token of that team.",
    next: "sends a token of the team",
  },
  "has no API token": {
    terminal:
      'Likely cause: #1 get-or-create acme was rejected with 401 ← The API token is the text "undefined", so the variable that should have it is not set (assumed: api-tokens=listed). Send Authorization: Token <api token>. This mock accepts test-api-token.',
    next: "sets the API token",
  },
  "waits for a request that never comes": { terminal: "", next: "reads the error" },
  "changes the mapping of a group that exists": {
    terminal:
      "#2 get-or-create acme: the group exists and was not changed (assumed: existing-group=unchanged); this request differs in mapping.",
    next: "finds out what the service does",
  },
  "renames a group, and counts its orders": { terminal: "", next: "reads the error" },
  "is not opened": { terminal: "", next: "reads the error" },
  "sends a GET with fetch": {
    terminal:
      "No request of this test reached the mock at URL: fetch cannot send a GET with a body, and get-or-create needs one. Use undici.request, axios, got or node:http instead.",
    next: "uses another client",
  },
  "counts the keys of the first customer": { terminal: "", next: "reads the error" },
  "counts the keys of the second customer": {
    terminal:
      'No request of this test reached the mock at URL. #2 get-or-create beta arrived in the world of the test "counts the keys of the first customer": is its URL kept from there?',
    next: "makes the ring anew for each test",
  },
  "changes one key in two processes, one after the other": {
    terminal:
      "Likely cause: #2 sent a stale token ← #1 rotated it (assumed: old-token=rejected). Use the group's latest token.",
    next: "passes the new token on",
  },
  "compares what a change returned with a snapshot": {
    terminal:
      "Likely cause: #2 sent a stale token ← #1 rotated it (assumed: old-token=rejected). Use the group's latest token.",
    next: "sends the new key",
  },
  "throws that it could not connect": {
    terminal:
      "No request of this test reached the mock at URL. Does your program use this URL, and was the request awaited? If nock or msw is active, let requests to the mock pass.",
    next: "corrects the URL",
  },
  "expects a conflict": { terminal: `Likely cause: ${stale}.`, next: "corrects what the test expects" },
};
