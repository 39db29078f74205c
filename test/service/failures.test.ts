import { expect, it } from "vitest";
import { startMock } from "../../src/index.js";
import { create } from "../call.js";

it("the assumptions of a failure are named in the response of a fault too", async () => {
  await using mock = await startMock();
  await mock.fault({ status: 503 });
  expect((await create(mock.url)).headers["usergroup-mock-assumed"]).toBe("failure-body=error-object");
});
