import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { call, getOrCreate, rotate } from "../../call.js";
import { ownWorld } from "../own-world.js";

const foreignToken = "b1d2f3e4c5a60718293a4b5c6d7e8f90b1d2f3e4c5a60718293a4b5c6d7e8f90";

interface Noted {
  /** Sends requests. The last one gets the notes. */
  readonly act: (url: string) => Promise<unknown>;
  readonly notes: readonly string[];
}

const cases: Record<string, Noted> = {
  "a token that was rotated out, and by which request": {
    act: async (url) => {
      const { token } = (await getOrCreate(url, { user_group_id: "new", name: "New" })).body.user_group;
      await getOrCreate(url, { user_group_id: "new" });
      await rotate(url, token);
      await rotate(url, token);
    },
    notes: ["current_token was rotated out by request 3"],
  },
  "a token that no group has": {
    act: (url) => rotate(url, "unheard-of"),
    notes: ["current_token belongs to no group of this team"],
  },
  "a token of another team": {
    act: (url) => rotate(url, foreignToken),
    notes: ["current_token belongs to a group of another team"],
  },
  "a GET whose body did not arrive": {
    act: (url) => call("GET", `${url}/api/user`),
    notes: ["the GET body was missing"],
  },
  "a POST without a body": {
    act: (url) => call("POST", `${url}/api/user`),
    notes: ["the POST body was missing"],
  },
  "unknown fields, with the closest match": {
    act: (url) => getOrCreate(url, { user_group_id: "new", name: "New", propertys: {}, mapping: {}, zz: 1 }),
    notes: [
      "field propertys is not in the interface, ignored; did you mean properties?",
      "field zz is not in the interface, ignored; expected one of user_group_id, name, mapping, properties",
    ],
  },
  "a group that exists and was not changed": {
    act: (url) => getOrCreate(url, { user_group_id: "example_1", name: "Renamed", mapping: { "40": "214" } }),
    notes: ["the group exists and was not changed; this request differs in name, mapping"],
  },
  "nothing if nothing is unusual": {
    act: (url) =>
      getOrCreate(url, { user_group_id: "example_1", name: "Example 1", mapping: { "40": "213" } }),
    notes: [],
  },
};

describe("the notes of a request", () => {
  const own = ownWorld();

  it.each(Object.entries(cases))("explain %s", async (_case, { act, notes }) => {
    await act(own.world.url);
    expect((await own.world.requests()).at(-1)?.notes).toEqual(notes);
  });

  it("name the request that the message of the response names", async () => {
    const { token } = (await getOrCreate(own.world.url, { user_group_id: "new", name: "New" })).body
      .user_group;
    await rotate(own.world.url, token);
    const { body } = await rotate(own.world.url, token);
    expect(body.error.message).toContain("was rotated out by request 2");
  });

  it("explain a token that another world issued", async () => {
    const other = own.world.world(`${own.world.name}-other`);
    const { token } = (await getOrCreate(other.url, { user_group_id: "new", name: "New" })).body.user_group;
    await rotate(own.world.url, token);
    const [entry] = await own.world.requests();
    expect(entry?.notes).toEqual([
      `current_token belongs to the world ${other.name}; check the base URL`,
      "current_token belongs to no group of this team",
    ]);
    await rotate(other.url, token);
    await rotate(other.url, token);
    const [, , third] = await other.requests();
    expect(third?.notes).toEqual(["current_token was rotated out by request 2"]);
    await other.drop();
  });

  it("explain a caller that disconnected before its body had arrived", async () => {
    const { hostname, port, pathname } = new URL(own.world.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      `GET ${pathname}/api/user HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Token test-api-token\r\n` +
        "Content-Type: application/json\r\nContent-Length: 50\r\nExpect: 100-continue\r\n\r\n",
    );
    // The mock asks for the body, so the request has begun.
    await once(socket, "data");
    socket.write('{"user_group_id":');
    socket.destroy();
    await expect
      .poll(() => own.world.requests())
      .toMatchObject([
        {
          id: 1,
          outcome: "failure",
          delivery: "caller-left",
          notes: [
            expect.stringMatching(
              /^the caller closed the connection after \d+ ms, before its body had arrived$/,
            ),
          ],
        },
      ]);
    expect((await own.world.health()).groups).toBe(5);
  });
});
