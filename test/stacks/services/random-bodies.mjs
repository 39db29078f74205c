// Bodies in which each field is of a random kind, half of them right. Most of them no program sends.
import { drawing, getOrCreate, post } from "./steps.mjs";

/**
 * @param {string} seed
 * @param {number} length
 */
export function randomBodies(seed, length = 150) {
  const { random, below, pick } = drawing(seed);
  const wrong = () =>
    pick([undefined, null, "", " ", "text", "a;b", below(99), -0.5, true, [], ["a"], {}, { a: 1 }]);
  const field = (/** @type {unknown} */ right) => (random() < 0.5 ? right : wrong());
  return Array.from({ length }, (_, index) => {
    if (random() < 0.2) {
      return post("rotate with random fields", { current_token: field("unknown"), filename: field("a.mp4") });
    }
    const body = {
      user_group_id: field(`rnd${index}`),
      name: field(`Random${index}`),
      mapping: field({ 40: "213" }),
      properties: field({ region: "EU" }),
    };
    return getOrCreate("create with random fields", body);
  });
}
