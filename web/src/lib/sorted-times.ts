/** The place of the first of the sorted times that is after this one; their number where there is none. */
export function firstAfter(timesMs: Float64Array, timeMs: number, from = 0, to = timesMs.length): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((timesMs[middle] ?? 0) > timeMs) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The place of the first of the sorted times that is this one or after it. */
export function firstNotBefore(timesMs: Float64Array, timeMs: number, from = 0, to = timesMs.length): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((timesMs[middle] ?? 0) >= timeMs) high = middle;
    else low = middle + 1;
  }
  return low;
}
