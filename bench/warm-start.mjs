// @ts-check
// The time of `npm start` when everything is installed, built and seeded.
import { checkout } from "../scripts/lib/checkout.mjs";
import { timedStart } from "./lib/timed-start.mjs";

/**
 * Seconds from the command until the line with the portal's address, one value per start.
 * @param {number} starts
 * @returns {Promise<number[]>}
 */
export async function measureWarmStarts(starts) {
  const start = () => timedStart({ folder: checkout, home: `${checkout}/.build/bench-start` });
  // The first start may have to build and seed.
  await start();
  /** @type {number[]} */
  const measured = [];
  while (measured.length < starts) {
    const { seconds, hasBuilt } = await start();
    // A source has changed meanwhile, so this was not a warm start.
    if (!hasBuilt) measured.push(seconds);
  }
  return measured;
}
