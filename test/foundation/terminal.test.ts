import { expect, it, vi } from "vitest";
import { note, print, printFailure, warn } from "../../src/foundation/terminal.js";

it("nothing that is printed has characters that a terminal obeys, apart from line breaks", () => {
  const unsafe = "a\u009b2J\u202e\u001b[2J\nb";
  const safe = "a\\u009b2J\\u202e\\u001b[2J\nb";
  let printed = "";
  const streams = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, "write").mockImplementation((part) => {
      printed += part;
      return true;
    }),
  );
  try {
    print(unsafe);
    note(unsafe);
    warn(unsafe);
    printFailure(Object.assign(new Error(unsafe), { syscall: "open" }));
  } finally {
    for (const stream of streams) stream.mockRestore();
  }
  const lines = [
    safe,
    `usergroup-mock: ${safe}`,
    `usergroup-mock: warning: ${safe}`,
    `usergroup-mock: ${safe}`,
  ];
  expect(printed).toBe(lines.map((line) => `${line}\n`).join(""));
});
