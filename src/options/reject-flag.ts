import { MockError } from "../fake/contract/mock-error.js";
import { sentence } from "../foundation/grammar.js";

export function rejectFlag(message: string): never {
  throw new MockError("invalid_option", sentence(message));
}
