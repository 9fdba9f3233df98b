// @ts-check

/** Fields that change without any write. */
const volatile = new Set(["lastUsedMs", "lastSeenMs", "isCurrent", "warnings"]);
/** Texts of the demo, which are no user's data, that were reworded since the last release. */
const reworded = new Set(["What seismometers all over the world felt in one week."]);
const names = ["id", "name", "datasetId", "eventId"];

/**
 * The paths and values of an earlier answer that a later one lacks. Additional fields and elements are allowed.
 * @param {unknown} before
 * @param {unknown} now
 * @param {string} [path]
 * @returns {string[]}
 */
export function losses(before, now, path = "the answer") {
  if (Array.isArray(before)) {
    if (!Array.isArray(now)) return [`${path} is no list any more`];
    return before.flatMap((one, index) => {
      const name = nameOf(one);
      // Elements with the same name are compared in order.
      const earlier = before.slice(0, index).filter((other) => nameOf(other) === name).length;
      const same = name === undefined ? now[index] : now.filter((other) => nameOf(other) === name)[earlier];
      const at = `${path}[${name ?? index}]`;
      return same === undefined ? [`${at} is gone`] : losses(one, same, at);
    });
  }
  if (typeof before === "object" && before !== null) {
    if (typeof now !== "object" || now === null) return [`${path} was ${short(before)} and is ${short(now)}`];
    const found = /** @type {Record<string, unknown>} */ (now);
    return Object.entries(before).flatMap(([key, value]) => {
      if (volatile.has(key)) return [];
      return key in found ? losses(value, found[key], `${path}.${key}`) : [`${path}.${key} is gone`];
    });
  }
  if (typeof before === "string" && typeof now === "string" && reworded.has(before)) return [];
  return withoutPort(before) === withoutPort(now) ? [] : [`${path} was ${short(before)} and is ${short(now)}`];
}

/**
 * The demo's services listen on a different port after each start.
 * @param {unknown} value
 */
const withoutPort = (value) => (typeof value === "string" ? value.replaceAll(/(http:\/\/127\.0\.0\.1):\d{1,5}/g, "$1") : value);

/** @param {unknown} value */
function nameOf(value) {
  if (typeof value !== "object" || value === null) return undefined;
  const fields = /** @type {Record<string, unknown>} */ (value);
  const parts = names.map((name) => fields[name]).filter((part) => typeof part === "string" || typeof part === "number");
  return parts.length === 0 ? undefined : parts.join(" ");
}

/** @param {unknown} value */
const short = (value) => JSON.stringify(value)?.slice(0, 100) ?? "undefined";
