import { expect, it } from "vitest";
import { startMock } from "../../src/index.js";
import { script, usesTheService } from "../http/clients/uses-the-service.js";

// Without the second compiler, such a short program takes a third less time.
const options = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"];

// By default, it requests an upgrade to HTTP/2.
it("Java's HttpClient can get, create and rotate groups", async (context) => {
  await using mock = await startMock();
  await usesTheService(
    mock,
    "java",
    { program: "java", send: (call) => script("java", options, "UserCall.java", call) },
    context,
  );
  expect(await mock.requests()).toHaveLength(3);
});
