import { MockError } from "../foundation/mock-error.js";

export interface MockUrl {
  /** Where the mock is, without a slash at the end. It may have a path, behind a proxy. */
  readonly root: string;
  /** When it is the URL of a world. */
  readonly world: string | undefined;
}

/** Parses the base URL of a mock or of a world. The messages need to know who asks, and where it wants a token. */
export function readMockUrl(url: string, caller: string, aboutTokens: string): MockUrl {
  // "localhost:4010" parses too, as a URL of the scheme localhost.
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    // What looks like credentials is not repeated.
    const given = String(url).includes("@") ? "what was given" : JSON.stringify(url);
    throw new MockError(
      "invalid_option",
      `${caller} needs the URL of a running usergroup-mock, not ${given}.`,
    );
  }
  const { origin, pathname, search, hash, username, password } = new URL(url);
  // The message must not repeat credentials.
  if (search + hash + username + password !== "") {
    const message = `${caller} needs a URL without ?, # and @, such as ${origin}; ${aboutTokens}.`;
    throw new MockError("invalid_option", message);
  }
  const [, folder = "", world] = /^(.*?)(?:\/worlds\/([^/]+))?\/*$/.exec(pathname) ?? [];
  return { root: `${origin}${folder}`, world };
}
