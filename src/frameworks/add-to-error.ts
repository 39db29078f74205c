interface ErrorFields {
  message?: string;
  stack?: string | undefined;
}

/**
 * Adds text below the message of an error, wherever a framework may take the message from. Returns a copy of an error
 * that cannot be changed. If text was thrown, such as a timeout in Jest and node:test, it becomes an error: frameworks
 * would quote the text and escape its line ends.
 * @param place has the place of the test in its stack, if what was thrown is not an error
 */
export function addToError(thrown: unknown, text: string, place?: unknown): ErrorFields {
  if (!isError(thrown)) {
    const frames = isError(place) ? /\n +at .*$/s.exec(place.stack ?? "")?.[0] : undefined;
    const message = `${thrown}${text}`;
    return Object.assign(new Error(message), { stack: `${message}${frames ?? ""}` });
  }
  const { message = "", stack } = thrown;
  const added = { message: withText(message, text), stack: stack && withText(stack, text) };
  try {
    return Object.assign(thrown, added);
  } catch {
    return Object.assign(new Error(), thrown, added);
  }
}

/** Does not use `instanceof`: errors may be of another realm, or plain objects. */
function isError(value: unknown): value is ErrorFields {
  return typeof value === "object" && value !== null;
}

/** Adds text before the frames of a stack. A message may have frames too: Jest adds them to an assertion of Node. */
export function withText(stack: string, text: string): string {
  return stack.replace(/(?=\n+ +at )|$/, () => text);
}
