import { gzipSync } from "node:zlib";
import type { SituationId } from "../../../src/fake/contract/situations.js";
import {
  acme,
  acmeWith,
  create,
  created,
  form,
  found,
  get,
  lookUp,
  type Meeting,
  never,
  newWith,
  noToken,
  plainText,
  post,
  rotated,
  rotation,
  theirs,
  untyped,
  withAuthorization,
  withToken,
} from "./meeting.js";
import { ofFields } from "./requests-of-fields.js";

/** A request for every situation. The compiler names a situation, and an outcome, that has none. */
export const meetings: { readonly [Id in SituationId]: Meeting<Id> } = {
  "every response": { request: get(lookUp), does: never },
  "several problems": {
    request: get({ name: 7 }),
    does: {
      first: { later: "user_group_id: missing" },
      "types first": { later: "name: number" },
      all: { later: "user_group_id: missing" },
      "types first then all": { later: "name: number" },
      "id first then all": { later: "user_group_id: missing" },
    },
  },

  "other path": { request: { path: "/api/other?x=1" }, does: never },
  "trailing slash": { request: { path: "/api/user/", body: lookUp }, does: { accepted: found } },
  "POST /videos": { request: { ...rotation, path: "/videos" }, does: { accepted: rotated } },
  "other method": { request: { method: "PUT", body: lookUp }, does: never },
  HEAD: { request: { method: "HEAD" }, does: never },
  OPTIONS: { request: { method: "OPTIONS" }, does: { "no content": { status: 204 } } },
  "too large": { request: get({ ...create, properties: { text: "x".repeat(103_000) } }), does: never },

  "no API token": { request: withAuthorization(undefined), does: never },
  "API token without scheme": { request: withAuthorization("test-api-token"), does: { accepted: found } },
  "other scheme": { request: withAuthorization("Bearer test-api-token"), does: { accepted: found } },
  "scheme in lower case": { request: withAuthorization("token test-api-token"), does: { accepted: found } },
  "wrong API token": { request: withAuthorization("Token nobody"), does: { accepted: found } },

  "fields in the query": {
    request: { path: "/api/user?user_group_id=acme&name=Acme" },
    does: { accepted: found },
  },
  "GET: no body": { request: {}, does: { accepted: { later: "user_group_id: missing" } } },
  "POST: no body": {
    request: { method: "POST" },
    does: { accepted: { later: "current_token: missing" } },
  },
  gzip: {
    request: get(gzipSync(JSON.stringify(lookUp)), { "Content-Encoding": "gzip" }),
    does: { accepted: found },
  },
  "GET: no Content-Type": { request: get(lookUp, untyped), does: { accepted: found } },
  "POST: no Content-Type": { request: { ...rotation, headers: untyped }, does: { accepted: rotated } },
  "GET: form": { request: get("user_group_id=acme&name=Acme", form), does: { accepted: found } },
  "POST: form": { request: post(`current_token=${acme.token}`, form), does: { accepted: rotated } },
  "GET: other Content-Type": { request: get(lookUp, plainText), does: { accepted: found } },
  "POST: other Content-Type": { request: { ...rotation, headers: plainText }, does: { accepted: rotated } },
  "GET: broken JSON": { request: get('{"user_group_id":"acme",}'), does: never },
  "POST: broken JSON": { request: post(`{"current_token":"${acme.token}",}`), does: never },
  "GET: text after the JSON": { request: get(`${JSON.stringify(lookUp)}}`), does: { accepted: found } },
  "GET: not an object": { request: get("[]"), does: never },
  "POST: not an object": { request: post("[]"), does: never },

  ...ofFields,

  "current_token: missing": { request: post({}), does: { accepted: noToken } },
  "current_token: null": { request: withToken(null), does: { accepted: noToken } },
  "current_token: number": { request: withToken(7), does: { accepted: noToken } },
  "current_token: list": { request: withToken([acme.token]), does: { accepted: noToken } },
  "current_token: object": { request: withToken({ a: acme.token }), does: { accepted: noToken } },
  "current_token: empty": { request: withToken(""), does: { accepted: noToken } },
  "filename: null": {
    request: post({ current_token: acme.token, filename: null }),
    does: { accepted: rotated },
  },
  "filename: number": {
    request: post({ current_token: acme.token, filename: 7 }),
    does: { accepted: rotated },
  },
  "filename: other type": {
    request: post({ current_token: acme.token, filename: ["a"] }),
    does: { accepted: rotated },
  },
  "POST: unknown field": {
    request: post({ current_token: acme.token, colour: "red" }),
    does: { accepted: rotated },
  },
  "filename: sent": {
    request: post({ current_token: acme.token, filename: "video.mp4" }),
    does: { accepted: rotated },
  },

  "id of the other team's group": {
    request: get({ user_group_id: "theirs", name: "Ours" }),
    does: {
      "another group": { created: { team_id: 3, provided_id: "theirs", name: "Ours" } },
      "same group": { found: { team_id: 4, provided_id: "theirs", name: "Theirs" } },
    },
  },
  "user_group_id: capitals": {
    request: acmeWith({ user_group_id: "ACME" }),
    does: { "another group": created({ provided_id: "ACME" }), "same group": found },
  },
  "user_group_id: spaces": {
    request: acmeWith({ user_group_id: " acme " }),
    does: { "another group": created({ provided_id: " acme " }), "same group": found },
  },
  "new id: capitals": {
    request: newWith({ user_group_id: "New" }),
    does: { kept: created({ provided_id: "New" }), "lower case": created({ provided_id: "new" }) },
  },
  "new id: spaces": {
    request: newWith({ user_group_id: " new " }),
    does: { kept: created({ provided_id: " new " }), trimmed: created({ provided_id: "new" }) },
  },
  "name: spaces": {
    request: newWith({ name: " New " }),
    does: { kept: created({ name: " New " }), trimmed: created({ name: "New" }) },
  },
  "name: missing": {
    request: get({ user_group_id: "new" }),
    does: { accepted: created({ name: "new" }), empty: created({ name: "" }) },
  },
  "existing group: other name": {
    request: acmeWith({ name: "Other" }),
    does: { kept: found, replaced: { found: { name: "Other" } } },
  },
  "existing group: other mapping": {
    request: acmeWith({ mapping: { 41: "214" } }),
    does: {
      kept: { found: { mapping: { 40: "213" } } },
      replaced: { found: { mapping: { 41: "214" } } },
      merged: { found: { mapping: { 40: "213", 41: "214" } } },
    },
  },
  "existing group: other properties": {
    request: acmeWith({ properties: { region: "EU" } }),
    does: {
      kept: { found: { properties: { plan: "a" } } },
      replaced: { found: { properties: { region: "EU" } } },
      merged: { found: { properties: { plan: "a", region: "EU" } } },
    },
  },
  "name of another group": {
    request: newWith({ name: "Acme" }),
    does: { accepted: created({ name: "Acme" }) },
  },
  created: { request: get(create), does: never },
  found: { request: get(lookUp), does: never },

  "current_token: other form": {
    request: withToken("short"),
    does: { accepted: { later: "current_token: unknown" } },
  },
  "current_token: unknown": { request: withToken("f".repeat(64)), does: never },
  "current_token: of the other team": {
    request: withToken(theirs.token),
    does: { accepted: { rotated: "theirs" } },
  },
  "current_token: previous": { request: rotation, rotations: 1, does: { accepted: rotated } },
  "current_token: older": { request: rotation, rotations: 2, does: { accepted: rotated } },
  "rotated token": { request: rotation, does: { new: rotated, same: { sameToken: "acme" } } },
  rotated: { request: rotation, does: never },
};
