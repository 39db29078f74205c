import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { startMock } from "../../src/index.js";
import { optionSources } from "../../src/options/option-sources.js";
import { resolveOptions } from "../../src/options/resolve-options.js";

describe("a placeholder in set", () => {
  it.each(["{ulr}", "{URL}/v1", "{url} {apitoken}", "{port}"])(
    "is rejected if it is unknown: %s",
    async (text) => {
      await expect(startMock({ set: { API_URL: text } })).rejects.toThrow(
        "set API_URL can have {url} and {apiToken} in braces, but no other name",
      );
    },
  );

  it("is rejected on the command line with the name of the flag", async () => {
    const flags = optionSources({ set: ["API_URL={ulr}"] }, {});
    await expect(resolveOptions(flags, "embedded")).rejects.toThrow("--set API_URL can have {url}");
  });

  it("is not looked for in other braces", async () => {
    const text = '{"url": "{url}", "again": "{url}", "empty": {}}';
    await using mock = await startMock({ set: { USER_GROUP_SETTINGS: text } });
    expect(process.env.USER_GROUP_SETTINGS).toBe(
      `{"url": "${mock.url}", "again": "${mock.url}", "empty": {}}`,
    );
    delete process.env.USER_GROUP_SETTINGS;
  });
});

describe("an error about a missing file", () => {
  it.each(["config", "fixtures", "profile"])("has its absolute path: %s", async (option) => {
    const path = "no-such-folder/groups.json";
    await expect(startMock({ [option]: path })).rejects.toThrow(resolve(path));
  });
});
