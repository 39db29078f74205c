// Made from schemas/ by `npm run generate`. Change the schemas, not this file.
import s0 from "../../schemas/admin-failure.response.json" with { type: "json" };
import s1 from "../../schemas/assumptions.request.json" with { type: "json" };
import s2 from "../../schemas/assumptions.response.json" with { type: "json" };
import s3 from "../../schemas/delivery.json" with { type: "json" };
import s4 from "../../schemas/done.response.json" with { type: "json" };
import s5 from "../../schemas/effect.json" with { type: "json" };
import s6 from "../../schemas/failure.response.json" with { type: "json" };
import s7 from "../../schemas/failures.response.json" with { type: "json" };
import s8 from "../../schemas/fault-rule.json" with { type: "json" };
import s9 from "../../schemas/fault.json" with { type: "json" };
import s10 from "../../schemas/fault.request.json" with { type: "json" };
import s11 from "../../schemas/faults.response.json" with { type: "json" };
import s12 from "../../schemas/fixture.json" with { type: "json" };
import s13 from "../../schemas/get-or-create.request.json" with { type: "json" };
import s14 from "../../schemas/get-or-create.response.json" with { type: "json" };
import s15 from "../../schemas/group-detail.json" with { type: "json" };
import s16 from "../../schemas/group.request.json" with { type: "json" };
import s17 from "../../schemas/groups.response.json" with { type: "json" };
import s18 from "../../schemas/har.response.json" with { type: "json" };
import s19 from "../../schemas/health.response.json" with { type: "json" };
import s20 from "../../schemas/history.response.json" with { type: "json" };
import s21 from "../../schemas/journal-entry.json" with { type: "json" };
import s22 from "../../schemas/openapi.response.json" with { type: "json" };
import s23 from "../../schemas/operation.json" with { type: "json" };
import s24 from "../../schemas/problem.json" with { type: "json" };
import s25 from "../../schemas/report.query.json" with { type: "json" };
import s26 from "../../schemas/request-body.query.json" with { type: "json" };
import s27 from "../../schemas/request-body.response.json" with { type: "json" };
import s28 from "../../schemas/requests.query.json" with { type: "json" };
import s29 from "../../schemas/requests.response.json" with { type: "json" };
import s30 from "../../schemas/reset.request.json" with { type: "json" };
import s31 from "../../schemas/rotate.request.json" with { type: "json" };
import s32 from "../../schemas/rotate.response.json" with { type: "json" };
import s33 from "../../schemas/send.request.json" with { type: "json" };
import s34 from "../../schemas/snapshot.response.json" with { type: "json" };
import s35 from "../../schemas/user-group.json" with { type: "json" };
import s36 from "../../schemas/wait.request.json" with { type: "json" };
import s37 from "../../schemas/wait.response.json" with { type: "json" };
import s38 from "../../schemas/worlds.response.json" with { type: "json" };

/** Every schema of `schemas/`, by file name. */
export const shippedSchemas = {
  "admin-failure.response.json": s0,
  "assumptions.request.json": s1,
  "assumptions.response.json": s2,
  "delivery.json": s3,
  "done.response.json": s4,
  "effect.json": s5,
  "failure.response.json": s6,
  "failures.response.json": s7,
  "fault-rule.json": s8,
  "fault.json": s9,
  "fault.request.json": s10,
  "faults.response.json": s11,
  "fixture.json": s12,
  "get-or-create.request.json": s13,
  "get-or-create.response.json": s14,
  "group-detail.json": s15,
  "group.request.json": s16,
  "groups.response.json": s17,
  "har.response.json": s18,
  "health.response.json": s19,
  "history.response.json": s20,
  "journal-entry.json": s21,
  "openapi.response.json": s22,
  "operation.json": s23,
  "problem.json": s24,
  "report.query.json": s25,
  "request-body.query.json": s26,
  "request-body.response.json": s27,
  "requests.query.json": s28,
  "requests.response.json": s29,
  "reset.request.json": s30,
  "rotate.request.json": s31,
  "rotate.response.json": s32,
  "send.request.json": s33,
  "snapshot.response.json": s34,
  "user-group.json": s35,
  "wait.request.json": s36,
  "wait.response.json": s37,
  "worlds.response.json": s38,
} as const;

export type SchemaFile = keyof typeof shippedSchemas;
