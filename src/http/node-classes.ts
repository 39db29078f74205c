import { IncomingMessage, ServerResponse } from "node:http";
import type { Express } from "express";

/** The classes that Node's HTTP server makes its requests and responses from. */
export interface NodeClasses {
  readonly IncomingMessage: typeof IncomingMessage;
  readonly ServerResponse: typeof ServerResponse<IncomingMessage>;
}

/**
 * Express replaces the prototype of every request and response. V8 then forgets what it learnt about their shape, and
 * that is most of what Express costs. Here Node creates both from classes that already have Express's prototypes, so
 * the replacement changes nothing.
 *
 * Calls per second against bare `node:http` doing the same work (`npm run bench`): 0.37 without these classes, 0.86
 * with them. Each of these adds another 0.01 to 0.05: the callback of body.ts, listen.ts keeping the last call of a
 * connection, fields set in constructors (tsconfig.json), and a bundle without Express's `debug` (build/left-out.mjs).
 */
export function nodeClassesFor(app: Express): NodeClasses {
  class MockRequest extends IncomingMessage {}
  class MockResponse extends ServerResponse {}
  takeMembers(MockRequest.prototype, app.request, IncomingMessage.prototype);
  takeMembers(MockResponse.prototype, app.response, ServerResponse.prototype);
  Object.assign(app, { request: MockRequest.prototype, response: MockResponse.prototype });
  return { IncomingMessage: MockRequest, ServerResponse: MockResponse };
}

/** Copies the members of `source` and its prototypes up to `end`; the nearest wins. */
function takeMembers(target: object, source: object, end: object): void {
  const line: object[] = [];
  for (let from = source; from !== end; from = Object.getPrototypeOf(from)) line.unshift(from);
  for (const from of line) {
    const members = Object.entries(Object.getOwnPropertyDescriptors(from));
    Object.defineProperties(target, Object.fromEntries(members.filter(([name]) => name !== "constructor")));
  }
}
