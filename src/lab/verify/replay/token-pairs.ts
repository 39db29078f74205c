import { type ReceivedResponse, readResponse } from "../service/received-response.js";
import { type Recorded, type SentRequest, sentFields } from "../service/recorded.js";

/** How the tokens of a mock look. */
const mockTokens = /\b[\da-f]{64}\b/g;

/**
 * The tokens of a service, each with the token that a mock has in its place: both get the same requests, and each issues
 * its own tokens. A request is sent to the mock with the mock's token, and what it responds is read with the service's.
 *
 *     service                          mock                             pair
 *     create     → s1                  create     → m1                  s1 is m1
 *     rotate s1  → s2                  rotate m1  → m2                  s2 is m2
 *     rotate s2  → rejected            rotate m2  → m3                  s2 is m3
 *     rotate s2  → s3                  rotate m3  → rejected            s3 is m3
 *     (a response that was lost: s4)
 *     look up    → s4                  look up    → m3                  s4 is m3
 */
export class TokenPairs {
  readonly #ofMock = new Map<string, string>();
  readonly #ofService = new Map<string, string>();
  /** The tokens that the service has issued in the entries that are played. */
  readonly #issued: ReadonlySet<unknown>;

  /** @param invented tokens that the service never issued: the mock gets one of its own form in the place of each */
  constructor(entries: readonly Recorded[], invented: ReadonlySet<string>) {
    this.#issued = new Set(entries.map(({ response }) => response.group.token));
    for (const [n, token] of [...invented].entries()) this.#pair(token, String(n + 1).padStart(64, "0"));
  }

  /** A request as the mock gets it. Undefined if it needs a token for which the mock has none. */
  requestToMock(request: SentRequest): SentRequest | undefined {
    const fields = sentFields(request);
    const { current_token } = fields;
    if (typeof current_token !== "string") return request;
    const ours = this.#ofMock.get(current_token);
    if (ours !== undefined) return { ...request, text: JSON.stringify({ ...fields, current_token: ours }) };
    // A text that is no token, such as "wrong", is sent as it is.
    return this.#issued.has(current_token) ? undefined : request;
  }

  /** Pairs the tokens of two responses to the same request. */
  note({ request, response }: Recorded, mocked: ReceivedResponse): void {
    const { current_token } = sentFields(request);
    const [theirs, ours] = [response.group.token, mocked.group.token];
    if (response.isSuccess && mocked.isSuccess) this.#pairNew(theirs, ours);
    else if (mocked.isSuccess) this.#pair(current_token, ours);
    else if (response.isSuccess) this.#pairNew(theirs, this.#ofMock.get(String(current_token)));
  }

  /** What the mock has responded, with the tokens of the service. */
  responseOfMock(mocked: ReceivedResponse): ReceivedResponse {
    const text = mocked.text.replace(mockTokens, (ours) => {
      const theirs = this.#ofService.get(ours);
      return theirs === undefined ? ours : JSON.stringify(theirs).slice(1, -1);
    });
    return readResponse({ ...mocked, text });
  }

  /**
   * A token that has a pair keeps it: a response about another group, or an earlier token, can show it too. Only a rotation
   * that the mock alone has accepted changes a pair, as in the third line above.
   */
  #pairNew(theirs: unknown, ours: unknown): void {
    if (!this.#ofMock.has(String(theirs))) this.#pair(theirs, ours);
  }

  #pair(theirs: unknown, ours: unknown): void {
    if (typeof theirs !== "string" || typeof ours !== "string") return;
    this.#ofMock.set(theirs, ours);
    this.#ofService.set(ours, theirs);
  }
}
