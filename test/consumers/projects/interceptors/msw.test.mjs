import assert from "node:assert/strict";
import { after, test } from "node:test";
import { http, passthrough } from "msw";
import { setupServer } from "msw/node";
import { useMock } from "usergroup-mock/node-test";

const mock = useMock();

const server = setupServer();
if (process.env.ALLOWED === "1") server.use(http.all(/^http:\/\/127\.0\.0\.1:/, () => passthrough()));
server.listen({ onUnhandledRequest: "error" });
after(() => server.close());

test("rotates a token while msw is active", async () => {
  const { token } = await mock.addGroup({ provided_id: "acme", name: "Acme" });
  const response = await fetch(`${mock.url}/api/user`, {
    method: "POST",
    headers: { Authorization: `Token ${mock.apiToken}`, "Content-Type": "application/json" },
    body: JSON.stringify({ current_token: token }),
  });
  assert.equal(response.status, 200);
});
