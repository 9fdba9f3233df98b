// @ts-check
import { compared } from "./statistics.mjs";

/**
 * Times two things in turns over several rounds. The one that goes first changes, lest one of them always finds the caches warm.
 * @param {{ rounds: number, turns: number }} parts
 * @param {(turn: number) => Promise<unknown>} ours given a number that counts up over all rounds
 * @param {(turn: number) => Promise<unknown>} theirs
 */
export async function comparedInTurns({ rounds, turns }, ours, theirs) {
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
  return compared(measured);
}
