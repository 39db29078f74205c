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

/** Written before the first run, from the specification and the truth about each test. */
export const expectations: Readonly<Record<string, Expected>> = {
  "maps a stale token to 502": { says: handled },
  "passes the status of the service on": { says: stale },
  "creates a tenant with 201": { says: /created-status=200/ },
  "maps an outage to 502": { says: /fault 1 \(get-or-create → 503\).*fired 1 of 1/i },
  "keeps a stale token in its cache": { says: stale },
  "has no API token in its environment": { says: /^Likely cause: #1 .*undefined/m },
  "has another path": { says: /^Likely cause: #1 .*\/api\/users/m },
  "uses a token of another team": { says: /^Likely cause: #2 .*\(assumed: foreign-token=rejected\)/m },
  "gives up after its attempts": {
    says: /^Likely cause: #3 .*3 of 3 attempts met fault 1/m,
    never: /Try |Use the|Look the/,
  },
  "tries only once": { says: /fault 1 \(get-or-create → 503\).*fired 1 of 3/i },
  "opens its circuit and keeps it open": { says: /fault 1 \(get-or-create → 500\).*fired 2 of 2/i },
  "waits less long than the service takes": { says: /#1 .*(5,000 ms|fault 1)/, never: /#1 .*rejected/ },
  "cannot read a truncated response": { says: /fault 1.*(truncate|half|cut)/i, never: /#1 .*rejected/ },
  "repeats a rotation whose response was lost": {
    says: /^Likely cause: #3 sent a stale token ← #2 rotated it, its response was lost \(fault 1\).*Look the group up to get its new token\./m,
  },
  "throws another message than expected": { says: stale, never: /^Likely.*Use the group's latest token/m },
  "is armed for the other operation": { says: /fault 1 \(get-or-create → 503\) has not fired.*#2/i },
  "is armed for another id": { says: /fault 1 .*has not fired.*#1.*tenant-acme/i },
  "is never met and asserted": { says: /fault 1.*rotate.*(has not fired|0 of 1)/is },
  "is held until the time limit": {
    says: /^Likely cause: #2 waits in the hold of rotate \(1 of 1 arrived\); .?release\(\).? was not called/m,
  },
  "lets two rotations race": {
    says: /^Likely cause: #2 and #3 rotated the same token at once; #[23] won/m,
    never: /stale/,
  },
  "sends mapping values as numbers": {
    says: /^Likely cause: #1 .*\/mapping\/40 must be string \(assumed: mapping-values=rejected\)/m,
  },
  "misspells a field": { says: /#1.*did you mean properties\?/ },
  "sends no name": { says: /^Likely cause: #1 .*name.*\(assumed: name-on-create=required\)/m },
  "has no plan": {},
  "finds a group with another name": { says: new RegExp(`#1.*${unchanged}`) },
  "keeps the URL of an earlier test": {
    says: /#2 arrived in the world of the test .*finds a group.*: is its URL kept from there\?/,
  },
  "expects a conflict that does not come": { says: new RegExp(`#2.*${unchanged}`) },
  "has no billing account after a lookup": { says: handled },
  "has no billing account after a swallowed rejection": { says: handled },
  "does not wait for the queue": { says: /#2 arrived \d+ ms after the failure: was it awaited\?/ },
  "counts 404 rows": { says: handled },
  "swallows a rejection": { says: stale },
  "starts a process with another variable": { says: /No request of this test reached the mock at http/ },
  "fails before it begins": {},
  "maps a failure of billing to 502": { says: handled },
  "has too many tenants": { says: handled },
  "counts 400 rows after a skipped one": { says: /^Last rejected: #1 .*may be intended/m },
  "reads the token of a group that is null": { says: /^Last rejected: #1 .*name-on-create/m },
  "parses a malformed response": { says: /fault 1 .*fired 1 of 1/i, never: /#1 .*rejected/ },
  "onboards two tenants at once": { says: /^Likely cause: #[12] .*\/mapping\/41 must be string/m },
  "throws the code of the second of two rejections": { says: /^Likely cause: #4 sent a stale token ← #2/m },
  "polls for a group that was not created": { says: /^Last rejected: #1 .*name-on-create/m },
  "waits for billing until the time limit": { says: handled },
  "asserts the number of requests": { says: /fault 1 .*fired 1 of 1/i },
  "asserts how often its fault fired": { says: /fault 1 .*fired 1 of 2/i },
  "sends its token as Bearer": { says: /^Likely cause: #1 .*401/m },
  "keeps a token over a reset": { says: /^Likely cause: #\d+ .*before the last reset/m },
  "rejects with an object that is no error": { says: stale },
  "expects another status of the rejection": { says: stale, never: /^Likely.*group's latest token/m },
  "compares an old token with the new one": {},
  "fails in a hook after its requests": {},
};
