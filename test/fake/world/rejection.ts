import { expect } from "vitest";
import { MockError } from "../../../src/fake/contract/mock-error.js";

/** The error that a method of `World` rejects with, which is always a MockError. */
export async function rejectionOf(rejected: Promise<unknown>): Promise<MockError> {
  const error = await rejected.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(MockError);
  return error as MockError;
}
