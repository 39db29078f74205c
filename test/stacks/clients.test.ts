import { expect, it } from "vitest";
import { startMock } from "../../src/index.js";
import { script, usesTheService } from "../http/clients/uses-the-service.js";

// It lives too short for the second compiler to pay off: a third less time.
const options = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"];

// Asks for an upgrade to HTTP/2, as it does by default.
it("Java's HttpClient gets, creates and rotates", async (context) => {
  await using mock = await startMock();
  await usesTheService(
    mock,
    "java",
    { program: "java", send: (call) => script("java", options, "UserCall.java", call) },
    context,
  );
  expect(await mock.requests()).toHaveLength(3);
});
