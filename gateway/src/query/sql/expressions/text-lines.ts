import { sql } from "kysely";
import { type Argument, type FunctionLines, type Line, argument } from "./function-lines.ts";
import type { LineParts } from "./line-parts.ts";
import { datedMs } from "../breakdown/calendar.ts";
import type { Bind, Sql } from "./value-kinds.ts";

/** Longest text that a function builds, in code points. A longer one has no value. */
const maxBuiltText = 100_000;
/** Longest text that `pad_left` fills up to. */
const maxPaddedText = 1_000;
/** More characters than a text has; as many as engines take. */
const maxCharacters = 2 ** 31 - 2;
/** Close to the largest number of 64 bits, so that a sum of a negative and a positive one does not overflow. */
const maxDistance = 2 ** 63 - 1_024;

const blanks = " \t\n\r\u00A0";

const built = (text: Sql, bind: Bind): Sql => {
  const made = bind(text);
  return sql`case when length(${made}) <= ${sql.lit(maxBuiltText)} then ${made} end`;
};

/** A count within the bounds, and null of null. */
function within(count: Argument, least: number, most: number): Sql {
  if (typeof count.written === "bigint") {
    return sql`cast(${sql.lit(Math.max(least, Math.min(most, Number(count.written))))} as bigint)`;
  }
  const { once } = count;
  return sql`(case when ${once} < ${sql.lit(least)} then ${sql.lit(least)} when ${once} > ${sql.lit(most)} then ${sql.lit(most)} else ${once} end)`;
}

/** Without a value if one of these has none. */
function unlessNull(args: readonly Argument[], result: Sql): Sql {
  const uncertain = args.filter(({ written }) => written === undefined || written === null);
  if (uncertain.length === 0) return result;
  const some = uncertain.map(({ once }) => sql`${once} is null`);
  return sql`case when not (${sql.join(some, sql` or `)}) then ${result} end`;
}

/** Lines of texts. */
export function textLines(parts: LineParts) {
  const search =
    (line: (text: Sql, find: Sql) => Sql): Line =>
    (args) =>
      line(argument(args, 0).once, argument(args, 1).once);
  return {
    "||": (args, { bind }) =>
      built(
        sql`(${sql.join(
          args.map(({ value }) => value),
          sql` || `,
        )})`,
        bind,
      ),
    concat: (args, { bind }) =>
      built(
        sql`(${sql.join(
          args.map(({ value }) => sql`coalesce(${value}, '')`),
          sql` || `,
        )})`,
        bind,
      ),
    length: (args) => sql`length(${argument(args, 0).value})`,
    lower: (args) => sql`lower(${argument(args, 0).value})`,
    upper: (args) => sql`upper(${argument(args, 0).value})`,
    trim: (args) => parts.trimmed(argument(args, 0).value, blanks),
    left: (args) => parts.substring(argument(args, 0).value, sql`1`, within(argument(args, 1), 0, maxCharacters)),
    right: (args) => {
      const text = argument(args, 0).once;
      const count = within(argument(args, 1), 0, maxCharacters);
      const from = sql`(case when ${count} >= length(${text}) then 1 else length(${text}) - ${count} + 1 end)`;
      return parts.substring(text, from, count);
    },
    part: (args) => {
      const from = within(argument(args, 1), -maxDistance, maxCharacters);
      const count = within(argument(args, 2), 0, maxCharacters);
      const start = within(argument(args, 1), 1, maxCharacters);
      // Characters before the first one count, too, however far away it is.
      const rest = sql`${from} - 1 + ${within(argument(args, 2), 0, maxDistance)}`;
      const most = sql.lit(maxCharacters);
      const left = sql`(case when ${from} >= 1 then ${count} when ${rest} < 0 then 0 when ${rest} > ${most} then ${most} else ${rest} end)`;
      return parts.substring(argument(args, 0).value, start, left);
    },
    replace: (args, { bind }) => {
      const [text, find, by] = [argument(args, 0).once, argument(args, 1).once, argument(args, 2).once];
      // Measured before it is built: replacing again and again would fill the memory.
      const without = bind(sql`length(replace(${text}, case when ${find} = '' then null else ${find} end, ''))`);
      const times = sql`((length(${text}) - ${without}) / length(${find}))`;
      const length = sql`length(${text}) + ${times} * (length(${by}) - length(${find}))`;
      const replaced = sql`case when ${find} = '' then ${text} when ${length} <= ${sql.lit(maxBuiltText)} then replace(${text}, ${find}, ${by}) end`;
      return unlessNull([argument(args, 2)], replaced);
    },
    contains: search(parts.contains),
    starts_with: search(parts.startsWith),
    ends_with: search(parts.endsWith),
    split_part: (args) => {
      const [text, separator, number] = [argument(args, 0).once, argument(args, 1).once, argument(args, 2).once];
      const found = parts.splitPart(text, separator, within(argument(args, 2), 1, maxCharacters));
      return sql`case when ${separator} = '' then (case when ${number} = 1 then ${text} end) when ${separator} <> '' and ${number} >= 1 then ${found} end`;
    },
    pad_left: (args) => {
      const [text, length, fill] = [argument(args, 0).once, argument(args, 1), argument(args, 2).once];
      const target = within(length, 0, maxPaddedText);
      const padded = parts.padLeft(text, target, fill);
      return unlessNull(
        [length, argument(args, 2)],
        sql`case when ${length.once} > ${sql.lit(maxPaddedText)} then null when ${length.once} <= length(${text}) or ${fill} = '' then ${text} else ${padded} end`,
      );
    },
    text: (args, { bind, ofDay }) => {
      const arg = argument(args, 0);
      switch (arg.kind) {
        case "text":
          return arg.value;
        case "decimal":
          return parts.decimalText(arg.once, bind);
        case "integer":
        case "boolean":
          return sql`cast(${arg.value} as varchar)`;
        case "time": {
          const iso = parts.isoText(arg.once);
          const isDated = sql`${arg.once} >= ${sql.lit(datedMs.from)} and ${arg.once} < ${sql.lit(datedMs.before)}`;
          const shown = ofDay ? parts.substring(iso, sql`1`, sql`10`) : sql`replace(${iso}, '.000Z', 'Z')`;
          return sql`case when ${isDated} then ${shown} end`;
        }
        default:
          return arg.kind satisfies never;
      }
    },
  } satisfies Partial<FunctionLines>;
}
