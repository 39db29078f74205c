import type { SituationId } from "../../../src/fake/contract/situations.js";
import {
  acmeWith,
  create,
  created,
  createdWith,
  found,
  get,
  isReplaced,
  type Meeting,
  never,
  newWith,
  noName,
} from "./meeting.js";

/** Requests about the fields of get-or-create. */
export const ofFields = {
  "user_group_id: missing": { request: get({ name: "New" }), does: never },
  "user_group_id: null": { request: newWith({ user_group_id: null }), does: never },
  "user_group_id: number": {
    request: newWith({ user_group_id: 7 }),
    does: { accepted: created({ provided_id: "7" }) },
  },
  "user_group_id: other type": {
    request: newWith({ user_group_id: ["a"] }),
    does: { accepted: created({ provided_id: '["a"]' }) },
  },
  "user_group_id: empty": {
    request: newWith({ user_group_id: "" }),
    does: { accepted: created({ provided_id: "" }) },
  },
  "user_group_id: long": {
    request: newWith({ user_group_id: "123😀56" }),
    limit: { over: 5 },
    within: newWith({ user_group_id: "123😀5" }),
    does: { accepted: created({ provided_id: "123😀56" }) },
  },
  "user_group_id: short": {
    request: newWith({ user_group_id: "1😀" }),
    limit: { under: 3 },
    within: newWith({ user_group_id: "1😀3" }),
    does: { accepted: created({ provided_id: "1😀" }) },
  },
  "user_group_id: characters": {
    request: newWith({ user_group_id: "new.id" }),
    limit: { characters: "a-z 0-9 _ - space other" },
    within: newWith({ user_group_id: "é_0 z-9😀" }),
    does: { accepted: created({ provided_id: "new.id" }) },
  },
  "user_group_id: first character": {
    request: newWith({ user_group_id: "_id" }),
    limit: { characters: "a-z 0-9 letters" },
    within: newWith({ user_group_id: "é_" }),
    does: { accepted: created({ provided_id: "_id" }) },
  },
  "user_group_id: unstorable": { request: newWith({ user_group_id: "a\u0000b" }), does: never },

  "name: null": {
    request: newWith({ name: null }),
    does: { accepted: noName, empty: created({ name: "" }) },
  },
  "name: number": {
    request: newWith({ name: 7 }),
    does: { accepted: created({ name: "7" }), "as sent": createdWith({ name: 7 }) },
  },
  "name: boolean": {
    request: newWith({ name: true }),
    does: { accepted: created({ name: "true" }), "as sent": createdWith({ name: true }) },
  },
  "name: list": {
    request: newWith({ name: ["a", "b"] }),
    does: { accepted: created({ name: '["a","b"]' }), ignored: noName, "as text": created({ name: "a,b" }) },
  },
  "name: object": {
    request: newWith({ name: { a: 1 } }),
    does: {
      accepted: created({ name: '{"a":1}' }),
      ignored: noName,
      "as text": created({ name: "[object Object]" }),
    },
  },
  "name: empty": {
    request: newWith({ name: "" }),
    does: { accepted: created({ name: "" }), ignored: noName },
  },
  "name: blank": { request: newWith({ name: "   " }), does: { accepted: created({ name: "   " }) } },
  "name: long": {
    request: newWith({ name: "123😀56" }),
    limit: { over: 5 },
    within: newWith({ name: "123😀5" }),
    does: { accepted: created({ name: "123😀56" }) },
  },
  "name: short": {
    request: newWith({ name: "1😀" }),
    limit: { under: 3 },
    within: newWith({ name: "1😀3" }),
    does: { accepted: created({ name: "1😀" }) },
  },
  "name: characters": {
    request: newWith({ name: "é" }),
    limit: { characters: "A-Z a-z ~" },
    within: newWith({ name: "New~" }),
    does: { accepted: created({ name: "é" }) },
  },
  "existing group: name missing": { request: get({ user_group_id: "acme" }), does: { accepted: found } },
  "existing group: name null": {
    request: acmeWith({ name: null }),
    where: isReplaced,
    does: { accepted: found, empty: { found: { name: "" } } },
  },
  "existing group: name number": {
    request: acmeWith({ name: 8 }),
    where: isReplaced,
    does: { accepted: { found: { name: "8" } }, "as sent": { found: { name: 8 as unknown as string } } },
  },
  "existing group: name empty": {
    request: acmeWith({ name: "" }),
    where: isReplaced,
    does: { accepted: { found: { name: "" } }, ignored: found },
  },
  "existing group: name long": {
    request: acmeWith({ name: "123456" }),
    limit: { over: 5 },
    within: acmeWith({ name: "12345" }),
    does: { accepted: found },
  },

  "mapping: missing": { request: get(create), does: { accepted: created({ mapping: {} }) } },
  "existing group: mapping missing": {
    request: acmeWith({ properties: { plan: "a" } }),
    does: { kept: { found: { mapping: { 40: "213" } } }, removed: { found: { mapping: {} } } },
  },
  "mapping: null": { request: newWith({ mapping: null }), does: { accepted: created({ mapping: {} }) } },
  "mapping: text": { request: newWith({ mapping: "text" }), does: { accepted: created({ mapping: {} }) } },
  "mapping: other type": {
    request: newWith({ mapping: false }),
    does: { accepted: created({ mapping: {} }) },
  },
  "mapping: list": {
    request: newWith({ mapping: ["a", "b"] }),
    does: { accepted: created({ mapping: {} }), "by index": created({ mapping: { 0: "a", 1: "b" } }) },
  },
  "mapping: empty list": {
    request: newWith({ mapping: [] }),
    does: { accepted: created({ mapping: {} }) },
  },
  "mapping: empty": { request: newWith({ mapping: {} }), does: { accepted: created({ mapping: {} }) } },
  "mapping key: text": {
    request: newWith({ mapping: { 40: "213", key: "214" } }),
    does: { accepted: created({ mapping: { 40: "213", key: "214" } }) },
  },
  "mapping key: empty": {
    request: newWith({ mapping: { 40: "213", "": "214" } }),
    does: { accepted: created({ mapping: { 40: "213", "": "214" } }) },
  },
  "mapping value: number": {
    request: newWith({ mapping: { 40: 213 } }),
    does: {
      accepted: createdWith({ mapping: { 40: 213 } }),
      "as text": created({ mapping: { 40: "213" } }),
    },
  },
  "mapping value: boolean": {
    request: newWith({ mapping: { 40: true } }),
    does: {
      accepted: createdWith({ mapping: { 40: true } }),
      "as text": created({ mapping: { 40: "true" } }),
    },
  },
  "mapping value: null": {
    request: newWith({ mapping: { 40: null } }),
    does: { accepted: createdWith({ mapping: { 40: null } }) },
  },
  "mapping value: list": {
    request: newWith({ mapping: { 40: ["a"] } }),
    does: { accepted: createdWith({ mapping: { 40: ["a"] } }) },
  },
  "mapping value: object": {
    request: newWith({ mapping: { 40: { a: "b" } } }),
    does: { accepted: createdWith({ mapping: { 40: { a: "b" } } }) },
  },
  "mapping value: empty": {
    request: newWith({ mapping: { 40: "" } }),
    does: { accepted: created({ mapping: { 40: "" } }) },
  },
  "mapping value: long": {
    request: newWith({ mapping: { 40: "213" } }),
    limit: { over: 2 },
    within: newWith({ mapping: { 40: "21" } }),
    does: { accepted: created({ mapping: { 40: "213" } }) },
  },
  "properties: missing": { request: get(create), does: { accepted: created({ properties: {} }) } },
  "existing group: properties missing": {
    request: acmeWith({ mapping: { 40: "213" } }),
    does: { kept: { found: { properties: { plan: "a" } } }, removed: { found: { properties: {} } } },
  },
  "properties: null": {
    request: newWith({ properties: null }),
    does: { accepted: created({ properties: {} }) },
  },
  "properties: text": {
    request: newWith({ properties: "text" }),
    does: { accepted: created({ properties: {} }) },
  },
  "properties: other type": {
    request: newWith({ properties: 7 }),
    does: { accepted: created({ properties: {} }) },
  },
  "properties: list": {
    request: newWith({ properties: ["a", { b: 1 }] }),
    does: {
      accepted: created({ properties: {} }),
      "by index": created({ properties: { 0: "a", 1: { b: 1 } } }),
    },
  },
  "properties: empty list": {
    request: newWith({ properties: [] }),
    does: { accepted: created({ properties: {} }) },
  },
  "properties value: number": {
    request: newWith({ properties: { plan: 5 } }),
    does: { accepted: created({ properties: { plan: 5 } }) },
  },
  "properties value: null": {
    request: newWith({ properties: { plan: null } }),
    does: { accepted: created({ properties: { plan: null } }), ignored: created({ properties: {} }) },
  },
  "properties value: object": {
    request: newWith({ properties: { plan: ["a"] } }),
    does: { accepted: created({ properties: { plan: ["a"] } }) },
  },
  "GET: unknown field": { request: newWith({ colour: "red" }), does: { accepted: created({}) } },
} as const satisfies { readonly [Id in SituationId]?: Meeting<Id> };
