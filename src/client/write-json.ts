import { MockError } from "../contract/mock-error.js";
import { asError } from "../foundation/coded-error.js";

/** The JSON text of a value that a test passed to a method of `World`. */
export function writeJson(given: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(given);
  } catch (error) {
    throw new MockError("invalid_json", `This value is not JSON: ${asError(error).message}.`);
  }
  if (text === undefined) throw new MockError("invalid_json", `This value is not JSON: ${typeof given}.`);
  return text;
}
