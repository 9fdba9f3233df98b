// @ts-check

const bodyBytes = 2_000_000;
const rounds = 7;

const entry = JSON.stringify({
  id: "a fileset",
  description: "Points with a time and a place.",
  allowedRoles: [{ roleName: "admin" }],
  files: 12.5,
});
const body = `[${Array(Math.floor(bodyBytes / (entry.length + 1)))
  .fill(entry)
  .join(",")}]`;

/**
 * The yardstick of the attacks: how long it takes to parse a body of 2 MB, as large as an import may be, and to walk through it. No
 * server can avoid this. The limits of the attacks are multiples of it, so that slow and busy machines come to the verdicts of fast ones.
 * @param {() => number} nowUs microseconds, of a clock or of what this thread has computed
 * @returns {number} milliseconds, the median of some rounds
 */
export function bodyTimeMs(nowUs) {
  const times = Array.from({ length: rounds }, () => {
    const fromUs = nowUs();
    values(JSON.parse(body));
    return (nowUs() - fromUs) / 1_000;
  });
  return times.toSorted((one, other) => one - other)[(rounds - 1) / 2] ?? 0;
}

/** How many times longer work takes here than the thread computes, because it waits for a processor: 1 on an idle machine. */
export function busyFactor() {
  const startedMs = performance.now();
  const { user: userBefore } = process.cpuUsage();
  bodyTimeMs(() => performance.now() * 1_000);
  return Math.max(1, (performance.now() - startedMs) / ((process.cpuUsage().user - userBefore) / 1_000));
}

/**
 * @param {unknown} value
 * @returns {number} how many values it consists of
 */
function values(value) {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce((sum, one) => sum + values(one), 1);
}
