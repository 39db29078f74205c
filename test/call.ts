import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";

/** What came back: the JSON of the body beside status and headers. */
export interface Answer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly body: any;
}

export interface CallOptions {
  readonly apiToken?: string;
  readonly headers?: Record<string, string>;
  /** The path as it is to be sent, where a URL would change it. */
  readonly path?: string;
  /** The certificate, in PEM, that an https: URL is trusted by. */
  readonly ca?: string;
}

export const getOrCreate = (url: string, body: unknown, options?: CallOptions) =>
  call("GET", `${url}/api/user`, body, options);

/** Gets or creates a group that is called by its id. */
export const create = (url: string, id = "new", more: object = {}) =>
  getOrCreate(url, { user_group_id: id, name: id, ...more });

export const rotate = (url: string, current_token: string, options?: CallOptions) =>
  call("POST", `${url}/api/user`, { current_token }, options);

/** A call of the service or of the admin API, on a connection of its own. A string is sent as it is. */
export function call(
  method: string,
  url: string,
  body?: unknown,
  options: CallOptions = {},
): Promise<Answer> {
  const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
  const headers: Record<string, string | number> = {
    Authorization: `Token ${options.apiToken ?? "test-api-token"}`,
    ...(text !== undefined && {
      "Content-Type": "application/json",
      "Content-Length": Buffer.byteLength(text),
    }),
    ...options.headers,
  };
  const request = url.startsWith("https:") ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const req = request(url, { method, headers, agent: false, ca: options.ca, ...pathOf(options) }, (res) => {
      let answer = "";
      res.setEncoding("utf8");
      res.on("data", (part: string) => {
        answer += part;
      });
      res.on("error", reject);
      res.on("end", () =>
        resolve({
          status: res.statusCode ?? 0,
          headers: res.headers,
          body: answer === "" ? undefined : JSON.parse(answer),
        }),
      );
    });
    req.on("error", reject);
    req.end(text);
  });
}

function pathOf({ path }: CallOptions): { path?: string } {
  return path === undefined ? {} : { path };
}
