// @ts-check
import { compare } from "./statistics.mjs";

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
