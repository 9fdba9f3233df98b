/** The index of the first sorted time after `timeMs`; `to` if there is none. */
export function firstAfter(timesMs: Float64Array, timeMs: number, from = 0, to = timesMs.length): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((timesMs[middle] ?? 0) > timeMs) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The index of the first sorted time at or after `timeMs`; `to` if there is none. */
export function firstNotBefore(timesMs: Float64Array, timeMs: number, from = 0, to = timesMs.length): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((timesMs[middle] ?? 0) >= timeMs) high = middle;
    else low = middle + 1;
  }
  return low;
}
