/** What must be printed of a failing test of `projects/onboarding` above its requests, and what must not. */
export interface Expected {
  /** Matches in our lines. Without it, no sentence may be printed. */
  readonly says?: RegExp;
  /** By default, no cause may be claimed if `says` claims none. */
  readonly never?: RegExp;
}

const stale = /^Likely cause: #3 sent a stale token ← #2 rotated it/m;
const handled = /^Last rejected: #3 .*may be intended/m;
const unchanged = "not changed.*existing-group=unchanged";

/** By title. The errors of `assertFaultsFired` and `assertNoFailures` say what is known. */
export const expectations: Readonly<Record<string, Expected>> = {
  "passes the status of the service on": { says: stale },
  "creates a tenant with 201": {},
  "maps an outage to 502": { says: /fault 1 \(get-or-create → 503\).*fired 1 of 1/i },
  "keeps a stale token in its cache": { says: stale },
  "has another path": { says: /^Likely cause: #1 .*\/api\/users/m },
  "waits less long than the service takes": {
    says: /^#1 was delayed by 5,000 ms \(fault 1\); the client closed the connection after \d+ ms\./m,
  },
  "cannot read a truncated response": { says: /fault 1.*(truncate|half|cut)/i, never: /#1 .*rejected/ },
  "repeats a rotation whose response was lost": {
    says: /^Likely cause: #3 sent a stale token ← #2 rotated it, its response was lost \(fault 1\).*Look the group up to get its new token\./m,
  },
  "is armed for the other operation": { says: /fault 1 \(get-or-create → 503\) has not fired.*#2/i },
  "sends no name": { says: /^Likely cause: #1 .*name.*\(assumed: name-on-create=required\)/m },
  "expects a conflict that does not come": { says: new RegExp(`#2.*${unchanged}`) },
  "has no billing account after a swallowed rejection": { says: handled },
  "does not wait for the queue": {
    says: /^After the failure: #2 rotate acme arrived later: was it awaited\?/m,
  },
  "swallows a rejection": { says: /\/requests\/3: .*was rotated out by request 2/ },
  "maps a failure of billing to 502": { says: handled },
  "has too many tenants": { says: handled },
  "counts 400 rows after a skipped one": { says: /^Last rejected: #1 .*may be intended/m },
  "reads the token of a group that is null": { says: /^Last rejected: #1 .*name-on-create/m },
  "onboards two tenants at once": { says: /^Likely cause: #[12] .*\/mapping\/41 must be string/m },
  "throws the code of the second of two rejections": { says: /^Likely cause: #4 sent a stale token ← #2/m },
  "polls for a group that was not created": { says: /^Last rejected: #1 .*name-on-create/m },
  "waits for billing until the time limit": { says: handled },
  "asserts the number of requests": { says: /fault 1 .*fired 1 of 1/i },
  "asserts how often its fault fired": { says: /fault 1 .*fired 1 of 2/i },
  "sends its token as Bearer": { says: /^Likely cause: #1 .*401/m },
  "keeps a token over a reset": {
    says: /^Likely cause: #\d+ .*before the last reset/m,
    never: /from an earlier test/,
  },
  "rejects with an object that is no error": { says: stale },
  "expects another status of the rejection": { says: stale, never: /^Likely.*group's latest token/m },
  "compares an old token with the new one": {},
  "fails in a hook after its requests": {},
};
