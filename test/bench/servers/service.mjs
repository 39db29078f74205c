// The work of the mock, for the servers that it is compared with: authentication, validation, a Map, token derivation, a
// journal of 1,000 entries. Without worlds, faults, assumptions and notes.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";

/** @typedef {{ team_id: number, provided_id: string, name: string, mapping?: object, token: string, rotations: number }} Group */
/** @typedef {{ status: number, body: object }} Reply */

/** @param {string} name */
const schema = (name) =>
  JSON.parse(readFileSync(new URL(`../../../schemas/${name}.request.json`, import.meta.url), "utf8"));

export function createService() {
  const ajv = new Ajv2020({ allErrors: true });
  ajv.addVocabulary(["x-problem", "x-well-formed", "x-stored-text", "tsType"]);
  /** @type {import("ajv").ValidateFunction<any>} */
  const validateGet = ajv.compile(schema("get-or-create"));
  /** @type {import("ajv").ValidateFunction<any>} */
  const validatePost = ajv.compile(schema("rotate"));
  const teams = new Map([["test-api-token", 3]]);
  /** @type {Map<string, Group>} */
  const groups = new Map();
  /** @type {Map<string, Group>} */
  const byToken = new Map();
  const journal = new Array(1000);
  let requests = 0;

  /** @param {string} id @param {number} rotations */
  const newToken = (id, rotations) =>
    createHash("sha256")
      .update(JSON.stringify(["bench", "default", 3, id, rotations]))
      .digest("hex");

  /** @param {Group} group */
  const shown = ({ team_id, token, name, provided_id }) => ({ team_id, token, name, provided_id });

  return {
    /** @param {string | undefined} method @param {string | undefined} path @param {object} headers */
    open(method, path, headers) {
      const entry = {
        id: ++requests,
        at: Date.now(),
        began: performance.now(),
        method,
        path,
        headers,
        text: "",
        /** @type {Reply | undefined} */
        reply: undefined,
        durationMs: 0,
      };
      journal[requests % 1000] = entry;
      return entry;
    },
    /** @param {string | undefined} header */
    teamOf(header) {
      const [, apiToken = ""] = /^Token (\S+)$/.exec(header ?? "") ?? [];
      return teams.get(apiToken);
    },
    /** @param {number} team @param {any} body @returns {Reply} */
    getOrCreate(team, body) {
      if (!validateGet(body))
        return { status: 400, body: { success: 0, error: { details: validateGet.errors } } };
      const key = `${team} ${body.user_group_id}`;
      const found = groups.get(key);
      if (found)
        return { status: 200, body: { success: 1, new_user_group: false, user_group: shown(found) } };
      const { user_group_id: id, name, mapping } = body;
      const group = { team_id: team, provided_id: id, name, mapping, token: newToken(id, 0), rotations: 0 };
      groups.set(key, group);
      byToken.set(group.token, group);
      return { status: 200, body: { success: 1, new_user_group: true, user_group: shown(group) } };
    },
    /** @param {any} body @returns {Reply} */
    rotate(body) {
      if (!validatePost(body))
        return { status: 400, body: { success: 0, error: { details: validatePost.errors } } };
      const group = byToken.get(body.current_token);
      if (!group) return { status: 404, body: { success: 0 } };
      byToken.delete(group.token);
      group.rotations++;
      group.token = newToken(group.provided_id, group.rotations);
      byToken.set(group.token, group);
      return { status: 200, body: { success: 1, user_group: shown(group) } };
    },
  };
}
