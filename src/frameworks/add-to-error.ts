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
  const added =
    stack === undefined
      ? { message: withText(message, "", text) }
      : { message: `${message}${text}`, stack: withText(stack, message, text) };
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

/**
 * Adds text before the frames of a stack.
 * @param message where the frames are looked for: after it
 */
export function withText(stack: string, message: string, text: string): string {
  const start = Math.max(stack.indexOf(message), 0) + message.length;
  const frames = stack.slice(start).search(/\n+ +at /);
  const end = frames < 0 ? stack.length : start + frames;
  return `${stack.slice(0, end)}${text}${stack.slice(end)}`;
}
