import { type RawBuilder, sql } from "kysely";
import { type Answer, type FunctionLines, type Line, argument } from "./function-lines.ts";
import type { LineParts } from "./line-parts.ts";
import { type Sql, noValue } from "./value-kinds.ts";

const maxDigits = 15;
const earthRadiusKm = 6371.0088;
const numberPattern = String.raw`^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?$`;
const wholePattern = "^[+-]?[0-9]+$";

/** Lines of numbers. What a function cannot compute is null before it: failing is slow. */
export function numberLines({ attempt, bounded, finite, toDouble, toInteger, truncated, rounded, matches }: LineParts) {
  /** Integers may leave 64 bits, decimals become infinite. */
  const within = (result: Sql, { kind, bind, fits }: Answer): Sql => {
    if (kind === "integer") return fits ? result : attempt(result);
    return bounded(result, bind);
  };
  const arithmetic =
    (operator: RawBuilder<unknown>): Line =>
    (args, answer) =>
      within(sql`(${argument(args, 0).value} ${operator} ${argument(args, 1).value})`, answer);
  const zero = ({ kind }: { readonly kind: string }): Sql => (kind === "integer" ? sql`0` : sql`0e0`);
  /** Values below a bound become it, and then null. */
  const above = (value: Sql, bound: Sql): Sql => sql`nullif(case when ${value} < ${bound} then ${bound} else ${value} end, ${bound})`;
  return {
    negate: (args, answer) => within(sql`(-${argument(args, 0).value})`, answer),
    "+": arithmetic(sql`+`),
    "-": arithmetic(sql`-`),
    "*": arithmetic(sql`*`),
    "/": (args, { bind }) => {
      const [dividend, divisor] = [argument(args, 0).value, argument(args, 1)];
      // Division by a whole number enlarges nothing. Whole numbers are compared with zero in less time than decimals.
      if (divisor.whole !== undefined) return sql`(${dividend} / cast(nullif(${divisor.whole}, 0) as double))`;
      return bounded(sql`(${dividend} / nullif(${divisor.value}, 0e0))`, bind);
    },
    "%": (args, { bind }) => {
      const [dividend, divisor] = [argument(args, 0), argument(args, 1)];
      if (divisor.kind === "decimal") return bounded(sql`(${dividend.value} % nullif(${divisor.value}, 0e0))`, bind);
      // Engines fail for the rest of the least integer by -1. It is that of a division by 1.
      return sql`(${dividend.value} % nullif(case when ${divisor.once} = -1 then 1 else ${divisor.once} end, 0))`;
    },
    abs: (args, answer) => within(sql`abs(${argument(args, 0).value})`, answer),
    sign: (args) => sql`cast(sign(${argument(args, 0).value}) as bigint)`,
    floor: (args) => (argument(args, 0).kind === "integer" ? argument(args, 0).value : sql`floor(${argument(args, 0).value})`),
    ceil: (args) => (argument(args, 0).kind === "integer" ? argument(args, 0).value : sql`ceil(${argument(args, 0).value})`),
    sqrt: (args) => sql`sqrt(${above(argument(args, 0).once, sql`-1e0`)})`,
    ln: (args) => sql`ln(${above(argument(args, 0).once, sql`0e0`)})`,
    log10: (args) => sql`log10(${above(argument(args, 0).once, sql`0e0`)})`,
    exp: (args, { bind }) => bounded(sql`exp(${argument(args, 0).value})`, bind),
    power: (args, { bind }) => finite(sql`power(${argument(args, 0).value}, ${argument(args, 1).value})`, bind),
    round: (args, { kind, bind }) => {
      const x = argument(args, 0).once;
      const given = args[1];
      const digits = given === undefined ? 0 : typeof given.written === "bigint" ? clamped(given.written) : undefined;
      if (kind === "integer") {
        if (digits !== undefined && digits >= 0) return x;
        const step = digits === undefined ? bind(powerOfTen(sql`-${clampedSql(given?.once ?? sql`0`)}`)) : sql.lit(10 ** -digits);
        const rest = sql`(${x} % cast(${step} as bigint))`;
        const isUp = sql`abs(${rest}) * 2 >= ${step}`;
        const nearest = attempt(
          sql`(${x} - ${rest} + case when ${isUp} then cast(sign(${x}) as bigint) * cast(${step} as bigint) else 0 end)`,
        );
        return digits === undefined ? sql`case when ${given?.once} >= 0 then ${x} else ${nearest} end` : nearest;
      }
      if (digits === undefined) {
        const places = given?.once ?? sql`0`;
        const factor = bind(powerOfTen(sql`abs(${clampedSql(places)})`));
        const down = bounded(sql`(${rounded(sql`(${x} / ${factor})`, bind)} * ${factor})`, bind);
        const up = sql`coalesce(${bounded(rounded(sql`(${x} * ${factor})`, bind), bind)} / ${factor}, ${x})`;
        return sql`case when ${places} < 0 then ${down} when ${places} >= 0 then ${up} end`;
      }
      if (digits === 0) return rounded(x, bind);
      const factor = sql`cast(${sql.lit(10 ** Math.abs(digits))} as double)`;
      return digits < 0
        ? bounded(sql`(${rounded(sql`(${x} / ${factor})`, bind)} * ${factor})`, bind)
        : sql`coalesce(${bounded(rounded(sql`(${x} * ${factor})`, bind), bind)} / ${factor}, ${x})`;
    },
    bin: (args, { kind, bind }) => {
      const [x, width] = [argument(args, 0).once, bind(above(argument(args, 1).once, zero({ kind })))];
      if (kind === "decimal") return bounded(sql`(floor(${x} / ${width}) * ${width})`, bind);
      const rest = bind(sql`(${x} % ${width})`);
      return attempt(sql`(${x} - case when ${rest} < 0 then ${rest} + ${width} else ${rest} end)`);
    },
    number: (args, { bind }) => {
      const [arg] = args;
      if (arg === undefined) return noValue("decimal");
      if (arg.kind !== "text") return sql`cast(${arg.value} as double)`;
      return bounded(sql`case when ${matches(arg.once, numberPattern)} then ${toDouble(arg.once)} end`, bind);
    },
    integer: (args) => {
      const [arg] = args;
      if (arg === undefined || arg.kind === "integer") return arg?.value ?? noValue("integer");
      if (arg.kind !== "text") return toInteger(truncated(arg.value));
      return sql`case when ${matches(arg.once, wholePattern)} then ${toInteger(arg.once)}
        when ${matches(arg.once, numberPattern)} then ${toInteger(truncated(toDouble(arg.once)))} end`;
    },
    distance_km: (args, { bind }) => {
      // Sines of what is infinite are errors.
      const [fromLat, fromLng, toLat, toLng] = [90, 360, 90, 360].map((most, index) => {
        const { once } = argument(args, index);
        return bind(sql`case when ${once} between ${sql.lit(most === 90 ? -90 : -180)} and ${sql.lit(most)} then ${once} end`);
      });
      const radians = (degrees: Sql | undefined) => sql`(${degrees} * ${sql.lit(Math.PI)}e0 / 180e0)`;
      const half = (to: Sql | undefined, from: Sql | undefined) => bind(sql`sin(${radians(sql`(${to} - ${from})`)} / 2e0)`);
      const [lat, lng] = [half(toLat, fromLat), half(toLng, fromLng)];
      const chord = bind(sql`(${lat} * ${lat} + cos(${radians(fromLat)}) * cos(${radians(toLat)}) * ${lng} * ${lng})`);
      return sql`(${sql.lit(2 * earthRadiusKm)}e0 * asin(sqrt(case when ${chord} > 1e0 then 1e0 else ${chord} end)))`;
    },
  } satisfies Partial<FunctionLines>;
}

const clamped = (digits: bigint): number => Math.max(-maxDigits, Math.min(maxDigits, Number(digits)));
const clampedSql = (digits: Sql): Sql =>
  sql`case when ${digits} > ${sql.lit(maxDigits)} then ${sql.lit(maxDigits)} when ${digits} < ${sql.lit(-maxDigits)} then ${sql.lit(-maxDigits)} else ${digits} end`;
const powerOfTen = (exponent: Sql): Sql => sql`power(10e0, cast((${exponent}) as double))`;
