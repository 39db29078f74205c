import type { BodyParts, Case, RequestParts, Step } from "./steps.js";

/**
 * Makes a failing case smaller while it still fails: fewer steps, fewer requests, then simpler requests with smaller
 * bodies.
 */
export async function shrink(failing: Case, fails: (steps: Case) => Promise<boolean>): Promise<Case> {
  let smallest = failing;
  for (let isDone = false; !isDone; ) {
    isDone = true;
    for (const smaller of smallerCases(smallest)) {
      if (!(await fails(smaller))) continue;
      smallest = smaller;
      isDone = false;
      break;
    }
  }
  return smallest;
}

/** Smaller variants of a case, those with the largest difference first. */
function* smallerCases(steps: Case): Generator<Case> {
  yield* shorter(steps, 0);
  for (const [n, step] of steps.entries())
    for (const smaller of smallerSteps(step)) yield steps.with(n, smaller);
}

function* smallerSteps(step: Step): Generator<Step> {
  switch (step.do) {
    case "send":
      for (const requests of shorter(step.requests, 1)) yield { ...step, requests };
      for (const overwrite of shorter(step.overwrite, 0)) yield { ...step, overwrite };
      if (step.caller !== "reads") yield { ...step, caller: "reads" };
      if (!step.wait) yield { ...step, wait: true };
      if (step.writes > 1) yield { ...step, writes: 1 };
      for (const [n, request] of step.requests.entries())
        for (const plainer of plainerRequests(request))
          yield { ...step, requests: step.requests.with(n, plainer) };
      break;
    case "race":
      for (const requests of less(step.requests, 2)) yield { ...step, requests };
      break;
    case "overtake":
      for (const count of less(step.count, 1)) yield { ...step, count };
      if (step.encoding !== "identity") yield { ...step, encoding: "identity" };
      break;
    case "signal":
      for (const halfSent of less(step.halfSent, 0)) yield { ...step, halfSent };
  }
}

function* plainerRequests(request: RequestParts): Generator<RequestParts> {
  const { headers, framing, encoding, version, body } = request;
  for (const fewer of shorter(headers, 0)) yield { ...request, headers: fewer };
  if (framing !== "length") yield { ...request, framing: "length" };
  if (encoding !== "identity") yield { ...request, encoding: "identity" };
  if (version !== "HTTP/1.1") yield { ...request, version: "HTTP/1.1" };
  for (const smaller of smallerBodies(body)) yield { ...request, body: smaller };
}

function* smallerBodies(body: BodyParts): Generator<BodyParts> {
  if ("unit" in body) {
    for (const times of less(body.times, 0)) yield { ...body, times };
    return;
  }
  for (const text of ["", "{}"]) if (text.length < body.text.length) yield { text };
  // A field of an object or an item of an array, at any depth.
  for (const { index, 0: part } of body.text.matchAll(/"\w*":(?:"[^"]*"|[\w.]+),?|,(?:"[^"]*"|[\w.]+)/g))
    yield { ...body, text: body.text.slice(0, index) + body.text.slice(index + part.length) };
}

/** The list without its first half, without its second half, and without each single item. */
function* shorter<T>(list: readonly T[], least: number): Generator<readonly T[]> {
  if (list.length <= least) return;
  const half = Math.floor(list.length / 2);
  if (half > 1) yield* [list.slice(half), list.slice(0, half)];
  for (let n = list.length - 1; n >= 0; n--) yield list.toSpliced(n, 1);
}

/** The minimum, and the middle between it and the value. */
function* less(count: number, least: number): Generator<number> {
  const half = Math.floor((count + least) / 2);
  if (count > least) yield least;
  if (half > least && half < count) yield half;
}
