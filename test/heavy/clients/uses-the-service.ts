import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, type TestContext } from "vitest";
import type { Mock } from "../../../src/index.js";
import { needs } from "../../needs.js";

/** A request to the service. */
export interface TestRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly authorization: string;
  readonly body: string;
}

export interface TestResponse {
  readonly status: number;
  /** The JSON of the body. */
  readonly body: unknown;
}

export interface Client {
  readonly send: (request: TestRequest) => Promise<TestResponse>;
  /** The program that it needs. */
  readonly program?: "curl" | "python3" | "java";
}

export function headersOf({ authorization }: Pick<TestRequest, "authorization">) {
  return { Authorization: authorization, "Content-Type": "application/json" };
}

/** Creates a group, gets it again and rotates its token. */
export async function usesTheService(
  mock: Mock,
  id: string,
  { send, program }: Client,
  context: TestContext,
): Promise<void> {
  if (program !== undefined) needs(context, program);
  const request = { url: `${mock.url}/api/user`, authorization: `Token ${mock.apiToken}` };
  const wanted = {
    user_group_id: `${id} ü😀`,
    name: "Grüße",
    mapping: { "40": "213" },
    properties: { filterValue: "value", list: [1, null] },
  };
  const get = { ...request, method: "GET", body: JSON.stringify(wanted) } as const;
  const stored = async () =>
    (await mock.groups()).find(({ provided_id }) => provided_id === wanted.user_group_id);
  const shown = { team_id: 3, provided_id: wanted.user_group_id, name: wanted.name };

  const created = await send(get);
  const before = await stored();
  expect(before).toMatchObject({ mapping: wanted.mapping, properties: wanted.properties });
  const user_group = { ...shown, token: before?.token };
  expect(created).toEqual({ status: 200, body: { success: 1, new_user_group: true, user_group } });

  const again = await send(get);
  expect(again).toEqual({ status: 200, body: { success: 1, new_user_group: false, user_group } });

  const current_token = before?.token;
  const rotated = await send({ ...request, method: "POST", body: JSON.stringify({ current_token }) });
  const after = await stored();
  expect(after?.token).not.toBe(current_token);
  expect(rotated).toEqual({
    status: 200,
    body: { success: 1, user_group: { ...shown, token: after?.token } },
  });
}

/** Runs a program and returns what it printed. Rejects with its error output when it fails. */
export function run(program: string, args: readonly string[], input?: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    // A proxy of the machine cannot reach our loopback address.
    const env = { ...process.env, NO_PROXY: "127.0.0.1", no_proxy: "127.0.0.1" };
    const child = execFile(program, args, { env }, (error, stdout) =>
      error === null ? resolve(stdout) : reject(error),
    );
    child.stdin?.end(input);
  });
}

/** Runs a program in another language, from a file in this directory. */
export async function script(
  program: string,
  options: readonly string[],
  file: string,
  request: TestRequest,
): Promise<TestResponse> {
  const { method, url, authorization, body } = request;
  const source = fileURLToPath(new URL(file, import.meta.url));
  const printed = await run(program, [...options, source, method, url, authorization], Buffer.from(body));
  const [status, response = ""] = printed.split(/\r?\n/);
  return { status: Number(status), body: JSON.parse(response) };
}
