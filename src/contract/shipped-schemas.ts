// Made from schemas/ by `npm run generate`. Change the schemas, not this file.
import s0 from "../../schemas/admin-failure.response.json" with { type: "json" };
import s1 from "../../schemas/assumptions.request.json" with { type: "json" };
import s2 from "../../schemas/assumptions.response.json" with { type: "json" };
import s3 from "../../schemas/done.response.json" with { type: "json" };
import s4 from "../../schemas/failure.response.json" with { type: "json" };
import s5 from "../../schemas/fault-rule.json" with { type: "json" };
import s6 from "../../schemas/fault.json" with { type: "json" };
import s7 from "../../schemas/fault.request.json" with { type: "json" };
import s8 from "../../schemas/faults.response.json" with { type: "json" };
import s9 from "../../schemas/fixture.json" with { type: "json" };
import s10 from "../../schemas/get-or-create.request.json" with { type: "json" };
import s11 from "../../schemas/get-or-create.response.json" with { type: "json" };
import s12 from "../../schemas/groups.response.json" with { type: "json" };
import s13 from "../../schemas/har.response.json" with { type: "json" };
import s14 from "../../schemas/health.response.json" with { type: "json" };
import s15 from "../../schemas/journal-entry.json" with { type: "json" };
import s16 from "../../schemas/openapi.response.json" with { type: "json" };
import s17 from "../../schemas/operation.json" with { type: "json" };
import s18 from "../../schemas/problem.json" with { type: "json" };
import s19 from "../../schemas/request-body.response.json" with { type: "json" };
import s20 from "../../schemas/requests.query.json" with { type: "json" };
import s21 from "../../schemas/requests.response.json" with { type: "json" };
import s22 from "../../schemas/rotate.request.json" with { type: "json" };
import s23 from "../../schemas/rotate.response.json" with { type: "json" };
import s24 from "../../schemas/snapshot.response.json" with { type: "json" };
import s25 from "../../schemas/user-group.json" with { type: "json" };
import s26 from "../../schemas/wait.request.json" with { type: "json" };
import s27 from "../../schemas/wait.response.json" with { type: "json" };
import s28 from "../../schemas/worlds.response.json" with { type: "json" };

/** Every schema of `schemas/`, by file name. */
export const shippedSchemas = {
  "admin-failure.response.json": s0,
  "assumptions.request.json": s1,
  "assumptions.response.json": s2,
  "done.response.json": s3,
  "failure.response.json": s4,
  "fault-rule.json": s5,
  "fault.json": s6,
  "fault.request.json": s7,
  "faults.response.json": s8,
  "fixture.json": s9,
  "get-or-create.request.json": s10,
  "get-or-create.response.json": s11,
  "groups.response.json": s12,
  "har.response.json": s13,
  "health.response.json": s14,
  "journal-entry.json": s15,
  "openapi.response.json": s16,
  "operation.json": s17,
  "problem.json": s18,
  "request-body.response.json": s19,
  "requests.query.json": s20,
  "requests.response.json": s21,
  "rotate.request.json": s22,
  "rotate.response.json": s23,
  "snapshot.response.json": s24,
  "user-group.json": s25,
  "wait.request.json": s26,
  "wait.response.json": s27,
  "worlds.response.json": s28,
} as const;

export type SchemaFile = keyof typeof shippedSchemas;
