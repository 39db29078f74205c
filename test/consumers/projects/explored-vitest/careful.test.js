import { test } from "usergroup-mock/vitest";
import { expect } from "vitest";
import { patient, sturdy } from "./customers.cjs";

const token = /^[0-9a-f]{64}$/;

test.concurrent("patient", async ({ mock }) => {
  expect(await patient(mock.url, mock.apiToken).tokenOf("acme")).toMatch(token);
});

test.concurrent("sturdy", async ({ mock }) => {
  const { tokenOf, renewToken } = sturdy(mock.url, mock.apiToken);
  expect(await renewToken("acme", await tokenOf("acme"))).toMatch(token);
});
