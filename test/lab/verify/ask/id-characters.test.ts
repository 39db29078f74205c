import { describe, expect, it } from "vitest";
import { askIdCharacters, exampleId } from "../../../../src/lab/verify/ask/id-characters.js";
import { rejected, scriptedService, success } from "../seen-responses.js";

describe("the characters of an id", () => {
  /** What is found at a service whose ids have only these characters. */
  async function ask(allowed: RegExp) {
    const { service, sent } = scriptedService(({ user_group_id }) =>
      allowed.test(String(user_group_id)) ? success({}) : rejected,
    );
    return { found: await askIdCharacters(service), sent, prefix: service.groups.prefix };
  }

  it("are found with two requests if all are accepted, and their ids begin with the prefix", async () => {
    const { found, sent, prefix } = await ask(/./);
    expect(found).toEqual({
      accepted: ["/", "\\.", "@", ":", "_", "\\u0080-\\u{10ffff}", " "],
      rejected: [],
    });
    expect(sent).toHaveLength(2);
    expect(sent[0]?.options.hasSeveralMistakes).toBe(true);
    for (const { body } of sent) expect(String(body.user_group_id).startsWith(`${prefix}-`)).toBe(true);
  });

  it("are found with two requests if only the space is rejected", async () => {
    const { found, sent } = await ask(/^\S+$/);
    expect(found.rejected).toEqual([" "]);
    expect(sent).toHaveLength(2);
  });

  it("are found one by one otherwise", async () => {
    const { found, sent } = await ask(/^[\w.-]+$/);
    expect(found).toEqual({ accepted: ["\\.", "_"], rejected: ["/", "@", ":", "\\u0080-\\u{10ffff}", " "] });
    expect(sent).toHaveLength(8);
  });

  it("are those of the examples", () => {
    expect(exampleId("@")).toBe("ugm-a1@a");
    expect(exampleId(" ")).toBe("ugm-a1 a");
  });
});
