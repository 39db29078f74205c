import { expect } from "vitest";
import { MockError } from "../../src/foundation/mock-error.js";

/** The error that a test control rejects with: always a MockError, so that a test can ask for its code. */
export async function refusalOf(refused: Promise<unknown>): Promise<MockError> {
  const error = await refused.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(MockError);
  return error as MockError;
}
