import { decimalText } from "../exact-numbers.ts";

/** A decimal as it is written: 0.1 is ten to the power of -1, although no double is. */
function decimalOf(value: number): { digits: bigint; scale: number } {
  const [, sign = "", whole = "", fraction = "", power = "0"] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(String(value)) ?? [];
  const digits = BigInt(`${sign}${whole}${fraction}`);
  const scale = fraction.length - Number(power);
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 };
}

/** The multiples of a width, counted from an origin, that are above `low` and at most `high`; as they are written in decimal. */
export function multiplesWithin(width: number, origin: number, low: number, high: number): number[] {
  const [one, other] = [decimalOf(width), decimalOf(origin)];
  const scale = Math.max(one.scale, other.scale);
  const scaled = ({ digits, scale: own }: typeof one) => digits * 10n ** BigInt(scale - own);
  const first = Math.floor((low - origin) / width) - 1;
  const last = Math.ceil((high - origin) / width) + 1;
  const edges: number[] = [];
  for (let index = first; index <= last; index += 1) {
    const edge = Number(decimalText(scaled(other) + BigInt(index) * scaled(one), scale));
    if (edge > low && edge <= high) edges.push(edge);
  }
  return edges;
}

/** 1, 2 or 5 times a power of ten, at least as large. */
export function roundWidth(least: number): number {
  if (!(least > 0) || !Number.isFinite(least)) return 1;
  const power = Math.floor(Math.log10(least));
  const factor = [1, 2, 5].find((one) => Number(`${one}e${power}`) >= least) ?? 10;
  return Number(`${factor}e${power}`);
}
