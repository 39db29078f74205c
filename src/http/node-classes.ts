import { IncomingMessage, ServerResponse } from "node:http";
import type { Express } from "express";

/** The classes that Node's HTTP server is to make its requests and responses from. */
export interface NodeClasses {
  readonly IncomingMessage: typeof IncomingMessage;
  readonly ServerResponse: typeof ServerResponse<IncomingMessage>;
}

/**
 * Express sets the prototype of every request and response anew, which throws away what V8 has learnt of their
 * shape, and that is most of what Express costs. Here Node makes both from classes whose prototypes are Express's
 * own, so that the setting changes nothing.
 *
 * All that is done for speed, in calls a second against bare node:http doing the same work (`npm run bench`):
 * 0.37 without these classes, 0.86 with them. What adds 0.01 to 0.05 each: a body that is told by a callback
 * (body.ts), the last call of a connection kept instead of forgotten (mock/listen.ts), calls of the service that
 * pass no layer of the admin API (app.ts), fields set in constructors (tsconfig.json), and a bundle without Express's
 * `debug` (build/build.mjs).
 */
export function nodeClassesFor(app: Express): NodeClasses {
  class MockRequest extends IncomingMessage {}
  class MockResponse extends ServerResponse {}
  takeMembers(MockRequest.prototype, app.request, IncomingMessage.prototype);
  takeMembers(MockResponse.prototype, app.response, ServerResponse.prototype);
  Object.assign(app, { request: MockRequest.prototype, response: MockResponse.prototype });
  return { IncomingMessage: MockRequest, ServerResponse: MockResponse };
}

/** Copies what `source` and its ancestors up to `end` define, the nearest winning. */
function takeMembers(target: object, source: object, end: object): void {
  const line: object[] = [];
  for (let from = source; from !== end; from = Object.getPrototypeOf(from)) line.unshift(from);
  for (const from of line) {
    const members = Object.entries(Object.getOwnPropertyDescriptors(from));
    Object.defineProperties(target, Object.fromEntries(members.filter(([name]) => name !== "constructor")));
  }
}
