// @ts-check
import { compare, median } from "./statistics.mjs";

/**
 * Times two functions alternately over several rounds. The order changes with every turn, so that neither always benefits from
 * warm caches.
 * @param {{ rounds: number, turns: number }} options
 * @param {(turn: number) => Promise<unknown>} ours `turn` counts up over all rounds
 * @param {(turn: number) => Promise<unknown>} theirs
 */
export async function compareInTurns({ rounds, turns }, ours, theirs) {
  /** @type {{ ours: number[], theirs: number[] }[]} */
  const measured = [];
  for (let round = 0; round < rounds; round++) {
    /** @type {{ ours: number[], theirs: number[] }} */
    const times = { ours: [], theirs: [] };
    for (let turn = 0; turn < turns; turn++) {
      const pair = /** @type {const} */ ([
        [times.ours, ours],
        [times.theirs, theirs],
      ]);
      for (const [list, run] of turn % 2 === 0 ? pair : pair.toReversed()) {
        const started = performance.now();
        await run(round * turns + turn);
        list.push(performance.now() - started);
      }
    }
    measured.push(times);
  }
  return compare(measured);
}

/** @typedef {{ quietest: number[], byRound: number[][] }} Turns medians by side: the smallest of all rounds, and those of each round */

/**
 * Times any number of functions in turns. Each one goes first as often as the others.
 * @param {{ rounds: number, turns: number }} options
 * @param {readonly ((turn: number) => Promise<unknown>)[]} sides `turn` counts up over all rounds
 * @returns {Promise<Turns>}
 */
export async function inTurns({ rounds, turns }, sides) {
  /** @type {number[][]} */
  const byRound = [];
  for (let round = 0; round < rounds; round++) {
    const times = sides.map(() => /** @type {number[]} */ ([]));
    for (let turn = 0; turn < turns; turn++) {
      for (let place = 0; place < sides.length; place++) {
        const side = (place + turn) % sides.length;
        const started = performance.now();
        await sides[side]?.(round * turns + turn);
        times[side]?.push(performance.now() - started);
      }
    }
    byRound.push(times.map(median));
  }
  return { quietest: sides.map((_, side) => Math.min(...byRound.map((round) => round[side] ?? Infinity))), byRound };
}
