import { networkInterfaces } from "node:os";
import type { TestContext } from "vitest";

const addresses = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
const hasIpv6 = addresses.some(({ address }) => address === "::1");

/** Skips the test on machines without IPv6, such as many containers. */
export function needsIpv6(context: TestContext): void {
  if (!hasIpv6) context.skip("This machine has no IPv6. Enable it on the loopback interface.");
}
