import fc from "fast-check";
import { expect, vi } from "vitest";
import { callInFlight } from "../call-in-flight.js";
import { patience } from "../patience.js";
import { command, type Model, ok, type Sender, worldNames } from "./command.js";
import type { ModelWorld } from "./plain-model.js";

type End = (world: string, sender: Sender, model: ModelWorld, all: Model) => Promise<void>;

const ends: Readonly<Record<string, End>> = {
  reset: async (_, { admin }, model) => {
    await ok(admin("POST", "/reset"));
    model.reset();
  },
  drop: async (world, { admin }, _, all) => {
    // Sent to the world itself, so that the world exists.
    await ok(admin("DELETE", `/worlds/${world}`));
    all.worlds.delete(world);
    all.world("default");
  },
};

/** How requests are in flight. Returns a function that waits for their responses. */
const flights: Readonly<
  Record<string, (sender: Sender, bodies: readonly object[]) => Promise<() => unknown>>
> = {
  held: async ({ admin, url }, bodies) => {
    // Other faults would come first.
    await ok(admin("DELETE", "/faults"));
    await ok(admin("POST", "/faults", { hold: true, times: bodies.length }));
    const halves = await Promise.all(bodies.map((body) => callInFlight("GET", url, body)));
    const sent = halves.map((half) => half.finish());
    const areHeld = async () => (await ok(admin("GET", "/faults"))).faults[0].holding === bodies.length;
    await vi.waitUntil(areHeld, patience);
    return () => Promise.all(sent);
  },
  "half sent": ({ url }, bodies) => halfSend(url, bodies, false),
  "half sent, compressed": ({ url }, bodies) => halfSend(url, bodies, true),
};

async function halfSend(url: string, bodies: readonly object[], isCompressed: boolean) {
  const halves = await Promise.all(bodies.map((body) => callInFlight("GET", url, body, { isCompressed })));
  return () => Promise.all(halves.map((half) => half.finish()));
}

/** A reset or drop. Requests in flight end in the history, and the next epoch shows nothing of them. */
export const endEpoch = fc
  .record({
    world: worldNames,
    by: fc.constantFrom(...Object.entries(ends)),
    count: fc.integer({ min: 0, max: 3 }),
    flight: fc.constantFrom(...Object.entries(flights)),
    /** Whether the rest of their bodies arrives at the same time as the reset or drop. */
    isRace: fc.boolean(),
  })
  .map(({ world, by: [name, end], count, flight: [how, start], isRace }) =>
    command(world, `${name}, ${count} requests ${how}, ${isRace}`, async (model, sender, all) => {
      if (count === 0) return end(world, sender, model, all);
      const bodies = Array.from({ length: count }, (_, n) => ({ user_group_id: `flying-${n}`, name: "F" }));
      const requests = model.journal.length + count;
      const respond = await start(sender, bodies);
      const early = isRace ? respond() : undefined;
      await end(world, sender, model, all);
      await (early ?? respond());
      const [past] = (await ok(sender.admin("GET", "/history"))).history;
      const { requests: entries } = await ok(sender.admin("GET", `/requests?epoch=${past.n}`));
      expect([past.requests, JSON.stringify(entries)]).toEqual([
        requests,
        expect.stringContaining("flying-0"),
      ]);
      expect(entries.filter(({ outcome }: { outcome: string }) => outcome === "pending")).toEqual([]);
    }),
  );
