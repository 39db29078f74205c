// Onboarding of tenants: an HTTP endpoint, and a queue.
import express from "express";
import { openAccount } from "./billing.js";

export class OnboardingError extends Error {}

export async function onboard(groups, tenant, billingUrl) {
  if (tenant.plan === undefined) throw new OnboardingError("tenant.plan is required");
  const { plan, ...group } = tenant;
  let created;
  try {
    created = await groups.ensure(group);
  } catch (cause) {
    throw new OnboardingError(`tenant ${tenant.id} was not onboarded to ${plan}`, { cause });
  }
  if (billingUrl !== undefined) await openAccount(billingUrl, tenant.id);
  return created;
}

/** Ends the access of a tenant. A group whose token is unknown has none. */
export async function offboard(groups, token, billingUrl, id) {
  try {
    await groups.rotateToken(token);
  } catch (error) {
    if (error.status !== 404) throw error;
  }
  await openAccount(billingUrl, id);
}

/** Runs jobs one after the other. What a job throws is counted. */
export class Queue {
  failed = 0;
  #last = Promise.resolve();

  add(job, afterMs = 0) {
    const run = async () => {
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      await job();
    };
    this.#last = this.#last.then(run).catch(() => {
      this.failed++;
    });
  }

  drained() {
    return this.#last;
  }
}

/** `passOn`: the status of the service is that of the endpoint. */
export async function startApi(groups, { passOn = false, billing } = {}) {
  const app = express();
  app.post("/tenants/:id/rotation", async (request, response) => {
    try {
      response.json({ token: await groups.rotate(request.params.id) });
    } catch (error) {
      response.status(passOn ? error.status : 502).json({ error: "rotation failed" });
    }
  });
  app.post("/tenants/:id", async (request, response) => {
    const { id } = request.params;
    const group = await groups.ensure({ id, name: id }).catch(() => null);
    response.status(group === null ? 502 : 200).json({ id });
  });
  app.post("/tenants/:id/end", async (request, response) => {
    const { id } = request.params;
    const ended = await offboard(groups, groups.tokens.get(id), billing, id).then(
      () => true,
      () => false,
    );
    response.status(ended ? 200 : 502).json({ id });
  });
  const server = app.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return {
    post: (path) =>
      fetch(`http://127.0.0.1:${server.address().port}${path}`, {
        method: "POST",
        headers: { connection: "close" },
      }),
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}
