import { sentence } from "../foundation/grammar.js";
import { MockError } from "../foundation/mock-error.js";

export function rejectFlag(message: string): never {
  throw new MockError("invalid_option", sentence(message));
}
