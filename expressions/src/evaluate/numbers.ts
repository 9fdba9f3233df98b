import { asDecimal, asInteger, type Computed, decimalOrNull, integerOrNull, type Value } from "./value.ts";

/** Counts in integers if the result is one, otherwise in decimals. */
const arithmetic =
  (ofIntegers: (a: bigint, b: bigint) => bigint | null, ofDecimals: (a: number, b: number) => number): Computed =>
  ([a, b], { numberKind }) => {
    if (numberKind === "decimal") return decimalOrNull(ofDecimals(asDecimal(a), asDecimal(b)));
    const result = ofIntegers(asInteger(a), asInteger(b));
    return result === null ? null : integerOrNull(result);
  };

const ofDecimal =
  (compute: (...values: number[]) => number): Computed =>
  (args) =>
    decimalOrNull(compute(...args.map(asDecimal)));

/** The nearest whole number, halves away from zero. */
function roundAway(x: number): number {
  const whole = Math.trunc(x);
  return Math.abs(x - whole) >= 0.5 ? whole + Math.sign(x) : whole;
}

const maxDigits = 15;

/**
 * Rounds to `digits` decimal places, or to tens, hundreds … if they are negative. More than 15 count as 15. Decimals are multiplied by a
 * power of ten, rounded and divided again, so that a value just below a half stays below: round(1.005, 2) is 1.
 */
const round: Computed = ([x, given = 0n]) => {
  const digits = Math.max(-maxDigits, Math.min(maxDigits, Number(given)));
  if (typeof x === "bigint") return digits >= 0 ? x : roundInteger(x, 10n ** BigInt(-digits));
  const factor = 10 ** Math.abs(digits);
  const value = asDecimal(x);
  if (digits < 0) return decimalOrNull(roundAway(value / factor) * factor);
  const scaled = value * factor;
  return Number.isFinite(scaled) ? roundAway(scaled) / factor : value;
};

function roundInteger(x: bigint, step: bigint): bigint | null {
  const magnitude = x < 0n ? -x : x;
  const rounded = ((magnitude + step / 2n) / step) * step;
  return integerOrNull(x < 0n ? -rounded : rounded);
}

const sign: Computed = ([x]) => BigInt(Math.sign(asDecimal(x)));

const bin: Computed = ([x, width], { numberKind }) => {
  if (asDecimal(width) <= 0) return null;
  if (numberKind === "decimal") return decimalOrNull(Math.floor(asDecimal(x) / asDecimal(width)) * asDecimal(width));
  const [value, step] = [asInteger(x), asInteger(width)];
  const rest = ((value % step) + step) % step;
  return integerOrNull(value - rest);
};

const pattern = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** The decimal in a text: digits with an optional sign, point and exponent, nothing around it. */
const number: Computed = ([x]) => {
  if (typeof x !== "string") return decimalOrNull(asDecimal(x));
  return pattern.test(x) ? decimalOrNull(Number(x)) : null;
};

/** Cuts the fraction. The digits of a text without point and exponent are exact. */
const integer: Computed = ([x]) => {
  if (typeof x === "bigint") return integerOrNull(x);
  if (typeof x === "string" && !pattern.test(x)) return null;
  if (typeof x === "string" && /^[+-]?\d+$/.test(x)) return integerOrNull(BigInt(x.replace(/^\+/, "")));
  const cut = Math.trunc(asDecimal(x));
  return Number.isFinite(cut) ? integerOrNull(BigInt(cut)) : null;
};

const earthRadiusKm = 6371.0088;
const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** Haversine on a sphere of the mean radius. Latitudes beyond the poles and longitudes outside -180 to 360 have no value. */
function distanceKm(fromLat: number, fromLng: number, toLat: number, toLng: number): number {
  if (Math.abs(fromLat) > 90 || Math.abs(toLat) > 90 || [fromLng, toLng].some((lng) => lng < -180 || lng > 360)) return Number.NaN;
  const [lat, lng] = [Math.sin(radians(toLat - fromLat) / 2), Math.sin(radians(toLng - fromLng) / 2)];
  const chord = lat * lat + Math.cos(radians(fromLat)) * Math.cos(radians(toLat)) * lng * lng;
  return 2 * earthRadiusKm * Math.asin(Math.sqrt(Math.min(1, chord)));
}

const whole =
  (compute: (x: number) => number): Computed =>
  ([x]): Value =>
    typeof x === "bigint" ? x : decimalOrNull(compute(asDecimal(x)));

export const numberFunctions = {
  "+": arithmetic(
    (a, b) => a + b,
    (a, b) => a + b,
  ),
  "-": arithmetic(
    (a, b) => a - b,
    (a, b) => a - b,
  ),
  "*": arithmetic(
    (a, b) => a * b,
    (a, b) => a * b,
  ),
  "/": ofDecimal((a = 0, b = 0) => (b === 0 ? Number.NaN : a / b)),
  "%": arithmetic(
    (a, b) => (b === 0n ? null : a % b),
    (a, b) => a % b,
  ),
  negate: ([x], { numberKind }) => (numberKind === "decimal" ? -asDecimal(x) : integerOrNull(-asInteger(x))),
  abs: ([x]) => (typeof x === "bigint" ? integerOrNull(x < 0n ? -x : x) : Math.abs(asDecimal(x))),
  sign,
  round,
  floor: whole(Math.floor),
  ceil: whole(Math.ceil),
  sqrt: ofDecimal(Math.sqrt),
  ln: ofDecimal(Math.log),
  log10: ofDecimal(Math.log10),
  exp: ofDecimal(Math.exp),
  power: ofDecimal((a = 0, b = 0) => a ** b),
  bin,
  number,
  integer,
  distance_km: ofDecimal((a = 0, b = 0, c = 0, d = 0) => distanceKm(a, b, c, d)),
} satisfies Readonly<Record<string, Computed>>;
