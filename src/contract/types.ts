// Made from schemas/ by `npm run generate`. Change the schemas, not this file.

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
 */
export interface Problem {
  /**
   * JSON pointer to the place.
   */
  path: string;
  message: string;
}
/**
 * Answer to a failed call of the service. Only success is documented; what stands beside it is the assumption failure-body.
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
      | "internal";
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
 * Teams and user groups: the shape of fixture files, of the state export and of the state import.
 */
export interface Fixture {
  /**
   * For editors; ignored.
   */
  $schema?: string;
  teams?: FixtureTeam[];
  user_groups?: FixtureGroup[];
}
export interface FixtureTeam {
  team_id: number;
  /**
   * What callers of this team send as Authorization: Token <api token>.
   */
  api_tokens: string[];
}
export interface FixtureGroup {
  /**
   * One of the teams.
   */
  team_id: number;
  /**
   * The caller's own id: what is sent as user_group_id.
   */
  provided_id: string;
  name: string;
  /**
   * Left out: one is derived, the same in every run.
   */
  token?: string;
  /**
   * Left out: empty.
   */
  mapping?: {
    [k: string]: unknown;
  };
  /**
   * Left out: empty.
   */
  properties?: {
    [k: string]: unknown;
  };
}
/**
 * Body of GET /api/user.
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
 * A user group as the service answers it: these four fields and nothing else.
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
 * Answer to GET /__admin/health.
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
 * Body of POST /api/user.
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
 */
export interface RotateResponse {
  success: 1;
  user_group: UserGroup;
}
