import adminFailure from "../../schemas/admin-failure.response.json" with { type: "json" };
import assumptionRequest from "../../schemas/assumptions.request.json" with { type: "json" };
import assumptionList from "../../schemas/assumptions.response.json" with { type: "json" };
import failure from "../../schemas/failure.response.json" with { type: "json" };
import fault from "../../schemas/fault.json" with { type: "json" };
import faultRequest from "../../schemas/fault.request.json" with { type: "json" };
import faultList from "../../schemas/faults.response.json" with { type: "json" };
import fixture from "../../schemas/fixture.json" with { type: "json" };
import getOrCreateRequest from "../../schemas/get-or-create.request.json" with { type: "json" };
import getOrCreateResponse from "../../schemas/get-or-create.response.json" with { type: "json" };
import groupList from "../../schemas/groups.response.json" with { type: "json" };
import health from "../../schemas/health.response.json" with { type: "json" };
import journalEntry from "../../schemas/journal-entry.json" with { type: "json" };
import problem from "../../schemas/problem.json" with { type: "json" };
import requestBody from "../../schemas/request-body.response.json" with { type: "json" };
import journalFilter from "../../schemas/requests.query.json" with { type: "json" };
import journalPage from "../../schemas/requests.response.json" with { type: "json" };
import rotateRequest from "../../schemas/rotate.request.json" with { type: "json" };
import rotateResponse from "../../schemas/rotate.response.json" with { type: "json" };
import snapshot from "../../schemas/snapshot.response.json" with { type: "json" };
import userGroup from "../../schemas/user-group.json" with { type: "json" };
import waitRequest from "../../schemas/wait.request.json" with { type: "json" };
import worldList from "../../schemas/worlds.response.json" with { type: "json" };

/** The schemas of `schemas/`, by file name. */
export const shippedSchemas = {
  "admin-failure.response.json": adminFailure,
  "assumptions.request.json": assumptionRequest,
  "assumptions.response.json": assumptionList,
  "failure.response.json": failure,
  "fault.json": fault,
  "fault.request.json": faultRequest,
  "faults.response.json": faultList,
  "journal-entry.json": journalEntry,
  "request-body.response.json": requestBody,
  "requests.query.json": journalFilter,
  "requests.response.json": journalPage,
  "snapshot.response.json": snapshot,
  "wait.request.json": waitRequest,
  "worlds.response.json": worldList,
  "fixture.json": fixture,
  "get-or-create.request.json": getOrCreateRequest,
  "get-or-create.response.json": getOrCreateResponse,
  "groups.response.json": groupList,
  "health.response.json": health,
  "problem.json": problem,
  "rotate.request.json": rotateRequest,
  "rotate.response.json": rotateResponse,
  "user-group.json": userGroup,
} as const;

/** The schemas that a user can make stricter: those of what comes from the user's own program and files. */
export const overlaidSchemas = ["get-or-create.request.json", "rotate.request.json", "fixture.json"] as const;

/** The schemas that somebody else's JSON is checked against. */
export const checkedSchemas = [
  ...overlaidSchemas,
  "fault.request.json",
  "requests.query.json",
  "wait.request.json",
] as const;
export type CheckedSchema = (typeof checkedSchemas)[number];
