import { randomBytes, randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { SeenRequest, Sent, Style, Wrong } from "./framework-service.js";

const failed = (status: number, body: object): Sent => ({ status, body: { success: 0, ...body } });
const page = (status: number, body: string, type = "text/html; charset=utf-8"): Sent => ({
  status,
  body,
  type,
});

type Rejection = Sent | ((wrong: Wrong, request: SeenRequest) => Sent);

/** Rejections by kind. `object` is also for kinds without one of their own. */
const rejecting =
  (
    table: { readonly [Kind in Wrong["kind"]]?: Rejection } & { readonly object: Rejection },
  ): Style["reject"] =>
  (wrong, request) => {
    const rejection = table[wrong.kind] ?? table.object;
    return typeof rejection === "function" ? rejection(wrong, request) : rejection;
  };

const usual = {
  unauthorized: 401,
  not_found: 404,
  method: 405,
  no_body: 400,
  json: 400,
  type: 415,
  object: 400,
  field: 400,
  token: 404,
};
const title = (field: string) => field.replaceAll("_", " ");
const laravelText = ({ field, why }: { field: string; why: string }) =>
  `The ${title(field)} field ${why === "type" ? "must be of another type" : "is required"}.`;
const drfTexts: Readonly<Record<string, string>> = {
  missing: "This field is required.",
  type: "Not a valid value.",
  empty: "This field may not be blank.",
};
const expressPage = (_: Wrong, { method, path }: SeenRequest) =>
  page(404, `<!DOCTYPE html>\n<html><body><pre>Cannot ${method} ${path}</pre></body></html>\n`);
const railsPage = page(
  404,
  "<!DOCTYPE html><title>The page you were looking for doesn't exist (404)</title>",
);
const railsMissing = failed(400, { error: "param is missing or the value is empty: user_group_id" });

/** Sends bytes of a response that never ends, until the connection breaks. */
const dribble = (res: ServerResponse) => {
  const timer = setInterval(() => res.write(" "), 5);
  setTimeout(() => res.destroy(), 50);
  res.on("close", () => clearInterval(timer));
};

/** Services in the styles of frameworks. Each one is a truth that verify has to learn. */
export const styles: Readonly<Record<string, () => Style>> = {
  "Django REST": () => ({
    created: 201,
    updates: true,
    acceptsNumbers: true,
    schemeInAnyCase: true,
    reject: rejecting({
      unauthorized: ({ why }) => ({
        status: 401,
        headers: { "WWW-Authenticate": "Token" },
        body: {
          detail: why === "unknown" ? "Invalid token." : "Authentication credentials were not provided.",
        },
      }),
      not_found: (_, { path }) =>
        page(404, `<!doctype html>\n<h1>Not Found</h1><p>The resource ${path} was not found.</p>`),
      method: (_, { method }) => failed(405, { detail: `Method "${method}" not allowed.` }),
      no_body: failed(400, { user_group_id: [drfTexts.missing], name: [drfTexts.missing] }),
      json: failed(400, { detail: "JSON parse error - Expecting value: line 1 column 19 (char 18)" }),
      type: (_, { headers }) =>
        failed(415, { detail: `Unsupported media type "${headers["content-type"]}" in request.` }),
      object: failed(400, { non_field_errors: ["Invalid data. Expected a dictionary, but got list."] }),
      field: ({ all }) =>
        failed(400, Object.fromEntries(all.map(({ field, why }) => [field, [drfTexts[why]]]))),
      token: failed(404, { detail: "Not found." }),
    }),
  }),
  "Laravel, adds fields": () => ({
    created: 201,
    rotated: 202,
    acceptsAnyType: true,
    addToGroup: ({ id }) => ({ id, created_at: new Date().toISOString() }),
    reject: rejecting({
      unauthorized: failed(401, { message: "Unauthenticated." }),
      not_found: (_, { path }) => failed(404, { message: `The route ${path.slice(1)} could not be found.` }),
      method: (_, { method }) =>
        failed(405, { message: `The ${method} method is not supported for route api/user.` }),
      json: failed(400, { message: "Syntax error" }),
      object: failed(422, {
        message: "The user group id field is required. (and 1 more error)",
        errors: {
          user_group_id: ["The user group id field is required."],
          name: ["The name field is required."],
        },
      }),
      field: ({ field, why, all }) => {
        const more = all.length > 1 ? ` (and ${all.length - 1} more)` : "";
        const errors = all.map((one) => [one.field, [laravelText(one)]]);
        return failed(422, {
          message: laravelText({ field, why }) + more,
          errors: Object.fromEntries(errors),
        });
      },
      token: ({ why }) =>
        why === "foreign"
          ? failed(403, { message: "This action is unauthorized." })
          : failed(404, { message: "No query results for model [App\\Models\\UserGroup]." }),
    }),
  }),
  "Rails, adds fields": () => ({
    created: 201,
    acceptsAnyType: true,
    acceptsEmpty: true,
    addToGroup: ({ provided_id, mapping }) => ({ slug: provided_id, data_sources: mapping }),
    addToBody: () => ({ meta: { api_version: "2024-10", deprecated: false } }),
    reject: rejecting({
      unauthorized: {
        ...page(401, "HTTP Token: Access denied.\n", "text/plain; charset=utf-8"),
        headers: { "WWW-Authenticate": 'Token realm="Application"' },
      },
      not_found: railsPage,
      method: railsPage,
      json: failed(400, { error: "Error occurred while parsing request parameters" }),
      object: railsMissing,
      field: ({ field, why }) => {
        if (why === "missing" && field === "user_group_id") return railsMissing;
        return failed(422, { errors: [`${field} ${why === "missing" ? "can't be blank" : "is invalid"}`] });
      },
      token: ({ why }) =>
        why === "rotated"
          ? failed(410, { error: "Rotated" })
          : failed(404, { error: "Couldn't find UserGroup" }),
    }),
  }),
  Express: () => ({
    reject: rejecting({
      unauthorized: page(401, "Unauthorized", "text/plain; charset=utf-8"),
      not_found: expressPage,
      method: expressPage,
      json: page(400, "<!DOCTYPE html>\n<pre>SyntaxError: Unexpected end of JSON input</pre>\n"),
      object: failed(400, { error: { message: "user_group_id is required" } }),
      field: ({ field, why }) => {
        const words = { missing: "is required", empty: "must not be empty" }[why] ?? "has a wrong type";
        return failed(400, { error: { message: `${field} ${words}`, field } });
      },
      token: (_, { json }) => failed(404, { error: { message: `unknown token ${json.current_token}` } }),
    }),
  }),
  "Go, echoes, 401 and 403": () => ({
    nameOptional: true,
    addToGroup: ({ properties }) => ({ properties }),
    reject: rejecting({
      unauthorized: ({ why }) =>
        why === "missing" ? failed(401, { err: "no credentials" }) : failed(403, { err: "forbidden" }),
      not_found: page(404, "404 page not found\n", "text/plain; charset=utf-8"),
      method: page(405, "Method Not Allowed\n", "text/plain; charset=utf-8"),
      no_body: failed(400, { err: "EOF" }),
      json: failed(400, { err: "unexpected EOF" }),
      type: failed(415, { err: "want application/json" }),
      object: failed(400, { err: "json: cannot unmarshal array into Go value of type Request" }),
      field: ({ field, why }, { json }) =>
        failed(422, { err: `${field}: ${why}`, id: json.user_group_id, got: json[field] }),
      token: ({ why }, { json }) => failed(404, { err: `token ${why}`, token: json.current_token }),
    }),
  }),
  "always 200": () => ({
    reject: ({ kind, why }) => {
      const message = `${kind} ${why}`;
      return failed(200, { message, code: 1000 + message.length });
    },
  }),
  "a time and a request id": () => ({
    reject: ({ kind, field, why }, { path }) =>
      failed(usual[kind], {
        timestamp: new Date().toISOString(),
        message: `Request ${randomUUID()} failed: ${kind === "field" ? `${field} is ${why}` : kind}`,
        requestId: `r-${randomBytes(8).toString("hex")}`,
        took: Math.random(),
        path,
      }),
  }),
  "500 for bad input": () => ({
    reject: rejecting({
      unauthorized: failed(401, { message: "no" }),
      token: failed(404, { message: "no such token" }),
      not_found: page(404, "not here", "text/plain"),
      object: page(500, "<html><body><h1>Internal Server Error</h1></body></html>"),
    }),
  }),
  "redirects /api/user/": () => ({
    before: ({ path }) =>
      path === "/api/user/"
        ? { ...page(301, "", "text/plain"), headers: { Location: "/api/user" } }
        : undefined,
    reject: ({ kind, field, why }) =>
      failed(usual[kind] + 22, { message: kind === "field" ? `${field}.${why}` : kind }),
  }),
  wobbly: () => {
    let n = 0;
    return {
      before: ({ req }, res) => {
        n++;
        if (n % 13 === 4) return { ...failed(429, {}), headers: { "Retry-After": "0" } };
        if (n % 13 === 12) return page(503, "busy");
        if (n % 13 === 8) req.socket.resetAndDestroy();
        else if (n % 26 === 11) res.writeHead(200).write("{", () => res.destroy());
        else if (n % 26 === 24) dribble(res);
        else return undefined;
        return "handled";
      },
      reject: ({ kind }) => failed(usual[kind], { reason: kind }),
    };
  },
};
