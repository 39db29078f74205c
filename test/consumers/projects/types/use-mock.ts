import type { World } from "usergroup-mock";
import { useMock } from "usergroup-mock/FRAMEWORK";

const mock: World = useMock({ assume: { "old-token": "accepted" } });

export async function tokens(): Promise<string[]> {
  // @ts-expect-error: no such method
  mock.resett();
  return (await mock.state()).user_groups.map(({ token }) => token);
}

// @ts-expect-error: no such option
useMock({ prot: 4010 });

// @ts-expect-error: no such value
useMock({ assume: { "old-token": "maybe" } });

useMock({ assertFaultsFired: true, assertNoFailures: false });

// @ts-expect-error: not a boolean
useMock({ assertFaultsFired: "yes" });
