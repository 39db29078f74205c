import { describe, expect, it } from "vitest";
import { decodeText } from "../../../../src/lab/verify/text/decode-text.js";
import { Secrets } from "../../../../src/lab/verify/text/secrets.js";

// Words without the digits 1 to 9, which are hidden because of their form otherwise.
const apiToken = "tttttttttttt";
const base64 = (text: string) => Buffer.from(text).toString("base64");

it.each(["", "x", "xx"])("hides base64 of an API token after %j", (before) => {
  const sent = base64(`${before}${apiToken}`);
  expect(sent).not.toMatch(/[1-9]/);
  const hidden = new Secrets([apiToken]).hide(`from ${sent} on`);
  expect(hidden).toMatch(/^from .{0,4}example.{0,4} on$/);
});

it("hides base64 of the token of a group", () => {
  const secrets = new Secrets([]);
  secrets.add("group-token");
  const sent = base64("group-token");
  expect(sent).not.toMatch(/[\w-]{16}/);
  expect(secrets.hide(`from ${sent} on`)).toBe("from example= on");
});

it("hides the token of a group in a text that it has seen before", () => {
  const secrets = new Secrets([]);
  expect(secrets.hide("from group-token on")).toBe("from group-token on");
  secrets.add("group-token");
  expect(secrets.hide("from group-token on")).toBe("from example on");
});

describe("Secrets hides a token with escapes in it", () => {
  const tokens = [
    "abc%2Fdef%2Bghi%3D",
    "abc&amp;def/ghi",
    "abc\\/def\\u002Bghi",
    'a%2F"b&lt;c',
    "%2525%2525%25",
  ];
  const forms: Readonly<Record<string, (token: string) => string>> = {
    "as it is": (token) => token,
    "in capitals": (token) => token.toUpperCase().replaceAll("\\U", "\\u"),
    "as JSON": (token) => JSON.stringify(token).slice(1, -1),
    "percent-encoded": encodeURIComponent,
    "as HTML": (token) => token.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;"),
    decoded: (token) => decodeText(token).at(-1)?.text ?? "",
  };
  it.each(tokens)("%s", (token) => {
    const ofGroup = new Secrets([]);
    ofGroup.add(token);
    for (const [form, write] of Object.entries(forms)) {
      const text = `from ${write(token)} on`;
      if (write(token).length < 3) continue;
      expect(new Secrets([token]).hide(text), form).toBe("from example on");
      expect(ofGroup.hide(text), form).toBe("from example on");
    }
  });
});

describe("Secrets hides the whole value of a field whose name suggests a secret", () => {
  const html = (text: string) => text.replaceAll('"', "&quot;");
  const json = (text: string) => JSON.stringify(text);
  it.each<[string, string, string]>([
    ["with a quote", '{"password":"ab\\"cd","a":"b"}', '{"password":"example","a":"b"}'],
    ["with a quote and a comma", '{"password":"ab\\",cd","a":"b"}', '{"password":"example","a":"b"}'],
    ["with an object in it", '{"auth":{"user":{"id":1},"pin":"47"},"a":"b"}', '{"auth":{example},"a":"b"}'],
    ["with lists in it", '{"auth":[[1],["]","47"]],"a":"b"}', '{"auth":[example],"a":"b"}'],
    ["as Python prints it", "{'password': 'ab cd', 'a': 'b'}", "{'password': 'example', 'a': 'b'}"],
    ["as Ruby prints it", '{"password"=>"ab cd", "a"=>"b"}', '{"password"=>"example", "a"=>"b"}'],
    ["with an apostrophe", `{"password":"it's","a":"b"}`, '{"password":"example","a":"b"}'],
    ["that is long", `{"password":"${"x ".repeat(2_000)}","a":"b"}`, '{"password":"example","a":"b"}'],
    ["that does not end", '{"password":"ab cd', '{"password":"example'],
    ["that is a number", '{"password":47,"a":"b"}', '{"password":example,"a":"b"}'],
  ])("%s", (_, text, expected) => {
    const secrets = new Secrets([]);
    expect(secrets.hide(text)).toBe(expected);
    expect(secrets.hide(html(text))).toBe(html(expected));
    expect(secrets.hide(json(text))).toBe(json(expected));
  });
});

describe("Secrets hides the value of a secret field of a query or an environment", () => {
  it.each([
    ["alone", "password=ab%cd", "password=example"],
    ["between others", "a=b&token=ab;c=d", "a=b&token=example;c=d"],
    [
      "in the value of another field",
      "url=https://a.test/?token=ab&c=d",
      "url=https://a.test/?token=example&c=d",
    ],
    ["in a variable", "env=DB_PASSWORD=ab", "env=DB_PASSWORD=example"],
    ["that is long", `pwd=${"%".repeat(2_000)} on`, "pwd=example on"],
    ["but not that of an empty one", "password=&a=b", "password=&a=b"],
  ])("%s", (_, text, expected) => {
    expect(new Secrets([]).hide(text)).toBe(expected);
  });

  it("in linear time", () => {
    const began = performance.now();
    new Secrets([]).hide("pwd=".repeat(200_000));
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});

describe("Secrets hides a token of 30 kB", () => {
  const half = "a".repeat(15_000);
  const token = `${half}b${half}`;
  const secrets = new Secrets([]);
  secrets.add(token);

  it("as a whole", () => {
    expect(secrets.hide(`from ${token}c on`)).toBe("from examplec on");
  });

  it("also where it was cut", () => {
    expect(secrets.hide(`from ${token.slice(0, 20_000)}… on`)).toBe("from example… on");
  });

  it("in linear time", () => {
    const began = process.cpuUsage();
    secrets.hide("a".repeat(900_000));
    // It took 20 s.
    expect(process.cpuUsage(began).user / 1e6).toBeLessThan(5);
  });
});

describe("Secrets hides what looks like a secret", () => {
  it.each([
    ["a long word with a digit", "id abcdefghijklmno5.", "id example."],
    ["no long word without one, and no zeros", "abcdefghijklmnop 0000000000000000", ""],
    ["no shorter word", "abcdefghijklmn5", ""],
    ["a web token", "of eyJhbGci.eyJzdWIi.abc, ok", "of example, ok"],
    [
      "the password of a URL",
      "mysql://root:pw@db/x and http://db/x@y",
      "mysql://example@db/x and http://db/x@y",
    ],
    ["a field of a query", "GET /x?token=ab&page=2", "GET /x?token=example&page=2"],
    ["a field of an environment", "DB_PASSWORD=ab cd=ef", "DB_PASSWORD=example cd=ef"],
    ["no field of a request", '"current_token":"is wrong" current_token=ab', ""],
    ["no field whose value is empty", "token= page=2", ""],
    ["what is in several forms once", '{"token":"abcdefghijklmno5"}', '{"token":"example"}'],
    ["each of many", "abcdefghijklmno5 abcdefghijklmno6", "example example"],
  ])("%s", (_, text, expected) => {
    expect(new Secrets([]).hide(text)).toBe(expected || text);
  });
});

describe("Secrets hides the tokens that it knows", () => {
  it("in any case, each time", () => {
    expect(new Secrets(["abcd"]).hide("abcd ABCD xAbCdx")).toBe("example example xexamplex");
  });

  it("as hexadecimal digits, and as base64 without its end", () => {
    // Short enough to be no long word with a digit.
    const hex = Buffer.from("zoom").toString("hex");
    expect(new Secrets(["zoom"]).hide(`of ${hex}`)).toBe("of example");
    const secrets = new Secrets([]);
    secrets.add("group-tokens");
    secrets.add("token");
    expect(secrets.hide(`of ${base64("token")}`)).toBe("of example=");
  });

  it("unless they are too short: they are in too many words", () => {
    const secrets = new Secrets(["ab"]);
    secrets.add("cd");
    expect(secrets.hide("ab cd abcd")).toBe("ab cd abcd");
    secrets.add("abc");
    expect(secrets.hide("ab cd abcd")).toBe("ab cd exampled");
  });

  it("as one secret where they overlap", () => {
    expect(new Secrets(["abcdef", "defghi"]).hide("-abcdefghi-")).toBe("-example-");
  });

  it("with other words for the user, whatever was hidden before", () => {
    const secrets = new Secrets(["abcd"]);
    expect(secrets.hide("of abcd\u001b")).toBe("of example\u001b");
    expect(secrets.show("of abcd\u001b")).toBe("of [secret]\\u001b");
  });
});

it("Secrets needs linear time for fields in fields", () => {
  const began = performance.now();
  new Secrets([]).hide('{"auth":'.repeat(100_000));
  new Secrets([]).hide('{"auth":"'.repeat(100_000));
  expect(performance.now() - began).toBeLessThan(5_000);
});
