import { test, testWith } from "usergroup-mock/FRAMEWORK";

test("mock is a world", async ({ mock }) => {
  const tokens: string[] = (await mock.state()).user_groups.map(({ token }) => token);
  await mock.waitForRequest({ match: { current_token: tokens[0] } });
  // @ts-expect-error: no such method
  mock.resett();
});

testWith({ assume: { "old-token": "accepted" } }).only("with options", async ({ mock }) => {
  await mock.assertNoFailures();
});

// @ts-expect-error: no such option
testWith({ prot: 4010 });

// @ts-expect-error: no such value
testWith({ assume: { "old-token": "maybe" } });

testWith({ assertFaultsFired: true, assertNoFailures: false });

// @ts-expect-error: not a boolean
testWith({ assertFaultsFired: "yes" });
