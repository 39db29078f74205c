import { MockError } from "../fake/contract/mock-error.js";

/**
 * Parses the base URL of a mock, which may have a path behind a proxy, or of a world.
 * @param aboutTokens how to pass a token instead. Messages must not repeat credentials.
 */
export function readMockUrl(url: string, method: string, aboutTokens: string) {
  const reject = (need: string) => new MockError("invalid_option", `${method} needs ${need}.`);
  // "localhost:4010" parses too, as a URL of the scheme localhost.
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    const given = String(url).includes("@") ? "" : `, not ${JSON.stringify(url)}`;
    throw reject(`the URL of a running usergroup-mock${given}`);
  }
  const { origin, pathname, search, hash, username, password } = new URL(url);
  if (search + hash + username + password !== "") {
    throw reject(`a URL without ?, # and @, such as ${origin}; ${aboutTokens}`);
  }
  const [, path = "", world] = /^(.*?)(?:\/worlds\/([^/]+))?\/*$/.exec(pathname) ?? [];
  return { root: `${origin}${path}`, world };
}
