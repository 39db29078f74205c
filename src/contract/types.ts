// Made from schemas/ by `npm run generate`. Change the schemas, not this file.

/**
 * What became of the answer. complete: all of it was handed to an open connection. cut: a part of it was sent. none: nothing was sent. caller-left: the caller closed the connection first. Missing while the call is under way.
 * @example "complete"
 */
export type Delivery = "complete" | "cut" | "none" | "caller-left";
/**
 * What a call did in the world, whether or not its caller got the answer.
 * @example "created"
 */
export type Effect = "created" | "found" | "updated" | "rotated" | "none";
/**
 * An operation of the service.
 */
export type Operation = "get-or-create" | "rotate";

/**
 * Answer to a failed call of the admin API. Nothing was changed.
 */
export interface AdminFailure {
  error: {
    code: string;
    /**
     * What was wrong, and what to do.
     */
    message: string;
    details?: Problem[];
  };
}
/**
 * One thing that is wrong in a JSON value.
 * @example {"path":"/mapping/40","message":"must be string"}
 */
export interface Problem {
  /**
   * JSON pointer to the place.
   */
  path: string;
  message: string;
}
/**
 * Body of PATCH /__admin/assumptions: values for some of the assumptions. GET lists ids and values; 201 is the same as "201".
 * @example {"old-token":"accepted"}
 */
export interface AssumptionRequest {
  [k: string]: unknown;
}
/**
 * Answer to GET and PATCH /__admin/assumptions: the ledger, with the values of this world.
 */
export interface AssumptionList {
  assumptions: AssumptionEntry[];
}
/**
 * An open question about the service, and what holds in this world.
 * @example {"id":"old-token","question":"Does a rotated-out token still name its group in a rotation?","openBecause":"The token being sent is the one to rotate.","value":"accepted","default":"rejected","why":"A rotated-out token no longer works.","values":[{"value":"rejected","meaning":"404"},{"value":"accepted","meaning":"rotates"}]}
 */
export interface AssumptionEntry {
  id: string;
  question: string;
  /**
   * The words of the document that leave it open.
   */
  openBecause: string;
  /**
   * What holds in this world.
   */
  value: string;
  default: string;
  /**
   * Why that is the default.
   */
  why: string;
  values: {
    value: string;
    meaning: string;
  }[];
}
/**
 * Answer to an admin call that has nothing else to say.
 */
export interface Done {
  status: "ok";
}
/**
 * Answer to a failed call of the service. Only success is documented; what stands beside it is the assumption failure-body.
 * @example {"success":0,"error":{"code":"unknown_token","message":"current_token belongs to no group of this team."}}
 */
export interface FailureResponse {
  success: 0;
  /**
   * With failure-body=error-object.
   */
  error?: {
    code:
      | "missing_body"
      | "invalid_json"
      | "invalid_body"
      | "unauthorized"
      | "unknown_token"
      | "not_found"
      | "method_not_allowed"
      | "payload_too_large"
      | "unsupported_media_type"
      | "internal"
      | "fault"
      | "forbidden_host"
      | "forbidden_origin"
      | "ambiguous_host"
      | "ambiguous_header"
      | "invalid_http"
      | "unsupported_version"
      | "invalid_world"
      | "too_many_worlds";
    /**
     * What was wrong, and what to do.
     */
    message: string;
    details?: Problem[];
  };
  /**
   * With failure-body=message.
   */
  message?: string;
}
/**
 * Answer to GET /__admin/failures: what failed in all worlds, newest first.
 */
export interface FailureList {
  failures: FailureSummary[];
  /**
   * How many older ones are not in the list.
   */
  left_off: number;
}
/**
 * The calls of one world between two resets that failed for the same reason.
 */
export interface FailureSummary {
  world: string;
  /**
   * The epoch that they belong to.
   */
  epoch: number;
  /**
   * Its label, usually the name of a test.
   */
  label?: string;
  /**
   * The code of the failure, or what became of the answer.
   */
  cause: string;
  /**
   * How many calls.
   */
  count: number;
  /**
   * The id of the last of them in its journal.
   */
  last: number;
  /**
   * When that one began, as ISO 8601.
   */
  at: string;
  /**
   * Why that one failed, in a sentence.
   */
  why: string;
}
/**
 * What a fault says: which calls it meets, when, and what happens to them. Exactly one effect: status, reset, empty, truncate, malformed, dribble, hold, or delayMs alone. It meets calls that are authenticated and well formed.
 */
export interface FaultRule {
  operation?: Operation;
  /**
   * Fields of the request body. An object matches when every field that is given here matches; everything else must be equal.
   */
  match?: {
    [k: string]: unknown;
  };
  /**
   * Only calls of this team.
   */
  team_id?: number;
  /**
   * before (default): nothing happens in the world. after: the call takes effect, then its answer is lost.
   */
  phase?: "before" | "after";
  /**
   * How often it fires, 1 by default.
   */
  times?: number | "always";
  /**
   * Matching calls to let pass first.
   */
  skip?: number;
  /**
   * Drawn from the random seed, so that it repeats.
   */
  probability?: number;
  /**
   * Answers with this status.
   */
  status?: number;
  /**
   * With status: headers of the answer.
   */
  headers?: {
    [k: string]: string;
  };
  /**
   * With status: the JSON to answer. By default a failure of the service.
   */
  body?: unknown;
  /**
   * With status, instead of body: sent as it is, such as the HTML page of a proxy. Content-Type is text/html or text/plain; headers may say another one.
   */
  text?: string;
  /**
   * Waits this long; beside another effect, before it. With dribble, the time that the answer takes.
   */
  delayMs?: number;
  /**
   * The connection is reset.
   */
  reset?: true;
  /**
   * The connection is closed without an answer.
   */
  empty?: true;
  /**
   * Half of the body, then the connection is closed.
   */
  truncate?: true;
  /**
   * 200 with broken JSON.
   */
  malformed?: true;
  /**
   * The answer arrives in pieces, over delayMs.
   */
  dribble?: true;
  /**
   * Waits until it is released.
   */
  hold?: true;
}
/**
 * A fault that was armed: its rule, and what it has done so far.
 * @example {"id":1,"operation":"rotate","status":503,"times":2,"fired":1,"holding":0,"active":true}
 */
export interface Fault {
  operation?: Operation;
  /**
   * Fields of the request body. An object matches when every field that is given here matches; everything else must be equal.
   */
  match?: {
    [k: string]: unknown;
  };
  /**
   * Only calls of this team.
   */
  team_id?: number;
  /**
   * before (default): nothing happens in the world. after: the call takes effect, then its answer is lost.
   */
  phase?: "before" | "after";
  /**
   * How often it fires, 1 by default.
   */
  times?: number | "always";
  /**
   * Matching calls to let pass first.
   */
  skip?: number;
  /**
   * Drawn from the random seed, so that it repeats.
   */
  probability?: number;
  /**
   * Answers with this status.
   */
  status?: number;
  /**
   * With status: headers of the answer.
   */
  headers?: {
    [k: string]: string;
  };
  /**
   * With status: the JSON to answer. By default a failure of the service.
   */
  body?: unknown;
  /**
   * With status, instead of body: sent as it is, such as the HTML page of a proxy. Content-Type is text/html or text/plain; headers may say another one.
   */
  text?: string;
  /**
   * Waits this long; beside another effect, before it. With dribble, the time that the answer takes.
   */
  delayMs?: number;
  /**
   * The connection is reset.
   */
  reset?: true;
  /**
   * The connection is closed without an answer.
   */
  empty?: true;
  /**
   * Half of the body, then the connection is closed.
   */
  truncate?: true;
  /**
   * 200 with broken JSON.
   */
  malformed?: true;
  /**
   * The answer arrives in pieces, over delayMs.
   */
  dribble?: true;
  /**
   * Waits until it is released.
   */
  hold?: true;
  id: number;
  /**
   * How often it has fired.
   */
  fired: number;
  /**
   * How many calls it holds now.
   */
  holding: number;
  /**
   * Whether it can fire again.
   */
  active: boolean;
}
/**
 * Body of POST /__admin/faults: a rule that makes a matching call fail, slow down, break or wait.
 */
export interface FaultRequest {
  operation?: Operation;
  /**
   * Fields of the request body. An object matches when every field that is given here matches; everything else must be equal.
   */
  match?: {
    [k: string]: unknown;
  };
  /**
   * Only calls of this team.
   */
  team_id?: number;
  /**
   * before (default): nothing happens in the world. after: the call takes effect, then its answer is lost.
   */
  phase?: "before" | "after";
  /**
   * How often it fires, 1 by default.
   */
  times?: number | "always";
  /**
   * Matching calls to let pass first.
   */
  skip?: number;
  /**
   * Drawn from the random seed, so that it repeats.
   */
  probability?: number;
  /**
   * Answers with this status.
   */
  status?: number;
  /**
   * With status: headers of the answer.
   */
  headers?: {
    [k: string]: string;
  };
  /**
   * With status: the JSON to answer. By default a failure of the service.
   */
  body?: unknown;
  /**
   * With status, instead of body: sent as it is, such as the HTML page of a proxy. Content-Type is text/html or text/plain; headers may say another one.
   */
  text?: string;
  /**
   * Waits this long; beside another effect, before it. With dribble, the time that the answer takes.
   */
  delayMs?: number;
  /**
   * The connection is reset.
   */
  reset?: true;
  /**
   * The connection is closed without an answer.
   */
  empty?: true;
  /**
   * Half of the body, then the connection is closed.
   */
  truncate?: true;
  /**
   * 200 with broken JSON.
   */
  malformed?: true;
  /**
   * The answer arrives in pieces, over delayMs.
   */
  dribble?: true;
  /**
   * Waits until it is released.
   */
  hold?: true;
}
/**
 * Answer to GET /__admin/faults, in the order in which they were armed.
 */
export interface FaultList {
  faults: Fault[];
}
/**
 * Teams and user groups: the shape of fixture files, of the state export and of the state import.
 * @example {"teams":[{"team_id":3,"api_tokens":["test-api-token"]}],"user_groups":[{"team_id":3,"provided_id":"acme","name":"Acme","mapping":{"40":"213"},"properties":{"region":"EU"}}]}
 */
export interface Fixture {
  /**
   * For editors; ignored.
   */
  $schema?: string;
  teams?: FixtureTeam[];
  user_groups?: FixtureGroup[];
}
/**
 * A team, and the API tokens that name it.
 * @example {"team_id":3,"api_tokens":["test-api-token"]}
 */
export interface FixtureTeam {
  team_id: number;
  /**
   * What callers of this team send as Authorization: Token <api token>.
   */
  api_tokens: string[];
}
/**
 * A group, as a fixture has it.
 * @example {"team_id":3,"provided_id":"acme","name":"Acme","mapping":{"40":"213"},"properties":{"region":"EU"}}
 */
export interface FixtureGroup {
  /**
   * The team that owns the group.
   */
  team_id: number;
  /**
   * The caller's own id of the group: what was sent as user_group_id.
   */
  provided_id: string;
  /**
   * The group's name.
   */
  name: string;
  /**
   * By default one is derived, the same in every run.
   */
  token?: string;
  /**
   * Empty by default.
   */
  mapping?: {
    [k: string]: unknown;
  };
  /**
   * Empty by default.
   */
  properties?: {
    [k: string]: unknown;
  };
}
/**
 * Body of GET /api/user.
 * @example {"user_group_id":"acme","name":"Acme","mapping":{"40":"213"},"properties":{"region":"EU"}}
 */
export interface GetOrCreateRequest {
  /**
   * The caller's own id of the user group.
   */
  user_group_id: string;
  /**
   * Name of the user group; needed when the group does not exist yet.
   */
  name?: string;
  /**
   * From schema id to the data source, or to the id the caller gave that data source.
   */
  mapping?: {
    [k: string]: string;
  };
  /**
   * Free-form properties, variables in the dashboards and in the SQL editor.
   */
  properties?: {
    [k: string]: unknown;
  };
}
/**
 * Answer to a successful GET /api/user.
 * @example {"success":1,"new_user_group":true,"user_group":{"team_id":3,"token":"64d6f8c5916cefdd04279185739b4455610dd7cef8b3484be46cf0d8a21408f0","name":"Acme","provided_id":"acme"}}
 */
export interface GetOrCreateResponse {
  success: 1;
  /**
   * Whether this call created the group.
   */
  new_user_group: boolean;
  user_group: UserGroup;
}
/**
 * A user group as the service answers it.
 * @example {"team_id":3,"token":"64d6f8c5916cefdd04279185739b4455610dd7cef8b3484be46cf0d8a21408f0","name":"Acme","provided_id":"acme"}
 */
export interface UserGroup {
  /**
   * The team that owns the group.
   */
  team_id: number;
  /**
   * The group's token, used to authenticate to a dashboard.
   */
  token: string;
  /**
   * The group's name.
   */
  name: string;
  /**
   * The caller's own id of the group: what was sent as user_group_id.
   */
  provided_id: string;
}
/**
 * A group with all that is kept of it, and where it comes from.
 * @example {"team_id":3,"token":"64d6f8c5916cefdd04279185739b4455610dd7cef8b3484be46cf0d8a21408f0","name":"Acme","provided_id":"acme","mapping":{"40":"213"},"properties":{},"seeded":false,"rotations":1}
 */
export interface GroupDetail {
  /**
   * The team that owns the group.
   */
  team_id: number;
  /**
   * The group's token, used to authenticate to a dashboard.
   */
  token: string;
  /**
   * The group's name.
   */
  name: string;
  /**
   * The caller's own id of the group: what was sent as user_group_id.
   */
  provided_id: string;
  mapping: {
    [k: string]: unknown;
  };
  properties: {
    [k: string]: unknown;
  };
  /**
   * Whether a fixture or a loaded state brought it; otherwise a call created it, or a test added it.
   */
  seeded: boolean;
  /**
   * How often its token was rotated in this world.
   */
  rotations: number;
}
/**
 * Body of POST /__admin/groups: a group to add, as a fixture has it.
 * @example {"provided_id":"acme","name":"Acme"}
 */
export interface NewGroup {
  /**
   * By default the first team that has an API token.
   */
  team_id?: number;
  /**
   * The caller's own id of the group: what was sent as user_group_id.
   */
  provided_id: string;
  /**
   * The group's name.
   */
  name: string;
  /**
   * By default one is derived, the same in every run.
   */
  token?: string;
  /**
   * Empty by default.
   */
  mapping?: {
    [k: string]: unknown;
  };
  /**
   * Empty by default.
   */
  properties?: {
    [k: string]: unknown;
  };
}
/**
 * Answer to GET /__admin/groups: the groups of this world with where they come from.
 */
export interface GroupList {
  groups: GroupDetail[];
}
/**
 * Answer to GET /__admin/requests.har: the journal as HTTP Archive 1.2.
 */
export interface Har {
  log: {
    version: "1.2";
    creator: {
      name: string;
      version: string;
    };
    entries: {
      [k: string]: unknown;
    }[];
  };
}
/**
 * Answer to GET /__admin/health.
 * @example {"status":"ok","version":"1.0.0","world":"default","worlds":1,"groups":6,"uptimeMs":1234}
 */
export interface Health {
  status: "ok";
  /**
   * Version of usergroup-mock.
   */
  version: string;
  /**
   * The world that was asked.
   */
  world: string;
  /**
   * How many worlds are alive.
   */
  worlds: number;
  /**
   * How many groups this world has.
   */
  groups: number;
  /**
   * Milliseconds since the server began to listen.
   */
  uptimeMs: number;
}
/**
 * Answer to GET /__admin/history: the earlier journals of this world, newest first.
 */
export interface HistoryList {
  history: HistoryItem[];
}
/**
 * An earlier journal of a world.
 * @example {"n":1,"label":"creates a group","startedAt":"2026-01-31T12:00:00.000Z","endedAt":"2026-01-31T12:00:00.000Z","requests":2,"failures":0}
 */
export interface HistoryItem {
  /**
   * The number of the epoch. It is never used again.
   */
  n: number;
  /**
   * The label of the reset that began it.
   */
  label?: string;
  /**
   * ISO 8601.
   */
  startedAt: string;
  /**
   * When the world was reset or dropped, ISO 8601.
   */
  endedAt: string;
  /**
   * How many calls were made.
   */
  requests: number;
  /**
   * How many of them failed, without those that a fault broke.
   */
  failures: number;
}
/**
 * One call of the service: what was asked, what happened, and what went over the wire.
 * @example {"id":2,"at":"2026-01-31T12:00:00.000Z","operation":"rotate","outcome":"failure","request":{"method":"POST","path":"/api/user","headers":{},"body":{"current_token":"stale"}},"response":{"status":404,"headers":{},"body":{"success":0}},"effect":"none","delivery":"complete","durationMs":0.8,"assumed":{"old-token":"rejected"},"fault":null,"notes":["current_token was rotated out by request 1"]}
 */
export interface JournalEntry {
  /**
   * Counted from 1 in every world, without a gap.
   */
  id: number;
  /**
   * When it came, ISO 8601.
   */
  at: string;
  /**
   * null: it was no operation of the service.
   */
  operation: Operation | null;
  /**
   * fault: an armed fault replaced or broke the answer. pending: still under way.
   */
  outcome: "success" | "failure" | "fault" | "pending";
  request: {
    method: string;
    path: string;
    headers: {
      [k: string]: string;
    };
    /**
     * The JSON that was sent; text where it was no JSON; null where nothing arrived.
     */
    body: unknown;
  };
  /**
   * What went over the wire. null: no byte was sent, or not yet.
   */
  response: null | {
    status: number;
    headers: {
      [k: string]: string;
    };
    /**
     * The JSON that was sent; text where it is no JSON, such as an answer that was cut; null where there was none.
     */
    body: unknown;
  };
  effect: Effect;
  delivery?: Delivery;
  /**
   * Until the last byte was handed over or the connection ended. null: not yet.
   */
  durationMs: number | null;
  /**
   * The assumptions that decided this answer, with their values.
   */
  assumed: {
    [k: string]: string;
  };
  /**
   * The id of the fault that fired; a note says what it did.
   */
  fault: number | null;
  /**
   * Causes in plain words.
   */
  notes: string[];
}
/**
 * Answer to GET /__admin/openapi.json: OpenAPI 3.1 of the service and the admin API.
 */
export interface OpenApiDocument {
  [k: string]: unknown;
}
/**
 * What a report holds.
 * @example {"worlds":"all"}
 */
export interface ReportQuery {
  /**
   * Every world of the server. By default this one.
   */
  worlds?: "all";
}
/**
 * Which call is meant.
 */
export interface RequestBodyQuery {
  /**
   * The epoch that the call belongs to, as the history numbers them. By default the one that goes on.
   */
  epoch?: number;
}
/**
 * Answer to GET /__admin/requests/{id}/body: both bodies of a call, character by character as they went over the wire.
 */
export interface RequestBody {
  /**
   * null: none arrived, it was not UTF-8, or the call was refused before it was read.
   */
  request: string | null;
  /**
   * As far as it was sent. null: none was sent.
   */
  response: string | null;
}
/**
 * Which entries of the journal are wanted.
 * @example {"operation":"rotate","outcome":"failure"}
 */
export interface JournalFilter {
  operation?: Operation;
  outcome?: "success" | "failure" | "fault" | "pending";
  /**
   * Calls that name this group, or were answered with it.
   */
  user_group_id?: string;
  /**
   * Only entries with a greater id.
   */
  after?: number;
  /**
   * At most so many, the oldest first; go on with after.
   */
  limit?: number;
}
/**
 * Answer to GET /__admin/requests, oldest first.
 */
export interface JournalPage {
  requests: JournalEntry[];
  /**
   * How many entries match, before limit.
   */
  total: number;
  /**
   * The number of the epoch that these calls belong to: ids begin anew with every reset.
   */
  epoch: number;
  /**
   * How many entries fell out because the journal is bounded.
   */
  dropped: number;
}
/**
 * Body of POST /__admin/reset. It may be left out.
 * @example {"label":"rotates a stale token"}
 */
export interface ResetRequest {
  /**
   * A name for what begins now, usually a test: the history shows it.
   */
  label?: string;
}
/**
 * Body of POST /api/user.
 * @example {"current_token":"64d6f8c5916cefdd04279185739b4455610dd7cef8b3484be46cf0d8a21408f0"}
 */
export interface RotateRequest {
  /**
   * The token to rotate; it names the group.
   */
  current_token: string;
  /**
   * May be sent, and means nothing.
   */
  filename?: string;
}
/**
 * Answer to a successful POST /api/user.
 * @example {"success":1,"user_group":{"team_id":3,"token":"64d6f8c5916cefdd04279185739b4455610dd7cef8b3484be46cf0d8a21408f0","name":"Acme","provided_id":"acme"}}
 */
export interface RotateResponse {
  success: 1;
  user_group: UserGroup;
}
/**
 * Body of POST /__admin/requests: a call of the service, by its operation, or by method and path.
 */
export interface SendRequest {
  operation?: Operation;
  method?: string;
  /**
   * Below the base URL of the world.
   */
  path?: string;
  /**
   * Beside those that every call has: Authorization with the first API token of the world, and Content-Type application/json where there is a body. null leaves one out.
   */
  headers?: {
    [k: string]: string | null;
  };
  /**
   * Sent as JSON.
   */
  body?: {
    [k: string]: unknown;
  };
  /**
   * Sent as it is, instead of body.
   */
  text?: string;
}
/**
 * Answer to POST /__admin/snapshots.
 * @example {"id":1}
 */
export interface Snapshot {
  /**
   * For restore and delete.
   */
  id: number;
}
/**
 * Which calls to wait for.
 * @example {"operation":"rotate","count":2,"timeoutMs":1000}
 */
export interface WaitRequest {
  operation?: Operation;
  outcome?: "success" | "failure" | "fault";
  /**
   * Fields of the request body. An object matches when every field that is given here matches; everything else must be equal.
   */
  match?: {
    [k: string]: unknown;
  };
  /**
   * How many calls have to match.
   */
  count?: number;
  /**
   * How long to wait for them.
   */
  timeoutMs?: number;
}
/**
 * Answer to POST /__admin/requests/wait: the calls that matched, oldest first.
 */
export interface WaitResponse {
  requests: JournalEntry[];
}
/**
 * Answer to GET /__admin/worlds.
 */
export interface WorldList {
  worlds: WorldSummary[];
}
/**
 * A world that is alive.
 * @example {"name":"w3","groups":6,"requests":2,"failures":0}
 */
export interface WorldSummary {
  name: string;
  /**
   * How many groups it has.
   */
  groups: number;
  /**
   * How many calls it has had since its last reset.
   */
  requests: number;
  /**
   * How many calls failed, also before earlier resets, as far as the history goes back.
   */
  failures: number;
}

/** The type of every schema, by file name. */
export interface SchemaTypes {
  "admin-failure.response.json": AdminFailure;
  "assumptions.request.json": AssumptionRequest;
  "assumptions.response.json": AssumptionList;
  "delivery.json": Delivery;
  "done.response.json": Done;
  "effect.json": Effect;
  "failure.response.json": FailureResponse;
  "failures.response.json": FailureList;
  "fault-rule.json": FaultRule;
  "fault.json": Fault;
  "fault.request.json": FaultRequest;
  "faults.response.json": FaultList;
  "fixture.json": Fixture;
  "get-or-create.request.json": GetOrCreateRequest;
  "get-or-create.response.json": GetOrCreateResponse;
  "group-detail.json": GroupDetail;
  "group.request.json": NewGroup;
  "groups.response.json": GroupList;
  "har.response.json": Har;
  "health.response.json": Health;
  "history.response.json": HistoryList;
  "journal-entry.json": JournalEntry;
  "openapi.response.json": OpenApiDocument;
  "operation.json": Operation;
  "problem.json": Problem;
  "report.query.json": ReportQuery;
  "request-body.query.json": RequestBodyQuery;
  "request-body.response.json": RequestBody;
  "requests.query.json": JournalFilter;
  "requests.response.json": JournalPage;
  "reset.request.json": ResetRequest;
  "rotate.request.json": RotateRequest;
  "rotate.response.json": RotateResponse;
  "send.request.json": SendRequest;
  "snapshot.response.json": Snapshot;
  "user-group.json": UserGroup;
  "wait.request.json": WaitRequest;
  "wait.response.json": WaitResponse;
  "worlds.response.json": WorldList;
}
