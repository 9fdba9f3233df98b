import { formatCount, plural } from "@fairway/contract/counts";
import type { ColumnType } from "@fairway/contract/columns";
import { type Alternative, type ColumnDecision, type Facts, decision, found, sumOf, timeForm } from "./column-facts.ts";
import type { ShapeGroup } from "./evidence.ts";
import { numberOf } from "./number-forms.ts";
import { type TextReading, booleanWords, decimalType, plainText, timeFormat, timeType } from "./text-reading.ts";
import { wayLabel } from "./way-words.ts";

export function asText(facts: Facts, sentence: string, also: readonly Alternative[]): ColumnDecision {
  const { number, time } = found(facts);
  const reading = { ...plainText, number, time };
  return decision({ ...facts, missing: 0 }, facts.filled, {
    type: "STRING",
    format: null,
    reading,
    sentence: [sentence, ...paddedSentence(facts)].join(" "),
    needsCount: false,
    also: [...also, ...timesOffered(facts), ...booleansOffered(facts), ...numbersOffered(facts)],
  });
}

/** A text is all of its characters. */
function paddedSentence({ counted }: Facts): string[] {
  const padded = counted.reduce((sum, { group }) => sum + group.padded, 0);
  if (padded === 0) return [];
  return [`${formatCount(padded)} ${plural(padded, "value begins or ends", "values begin or end")} with spaces, which are kept.`];
}

/** Whether so many values could be read in a way that it is worth being offered. */
const isOffered = (good: number, { filled, missing }: Facts): boolean => good > 0 && good * 2 >= filled - missing;

const offer = ({ filled, missing }: Facts, type: ColumnType, format: string | null, reading: TextReading, label?: string): Alternative => ({
  type,
  format,
  label: label ?? wayLabel(type, format),
  unreadable: 0,
  counted: { reading, values: filled - missing },
});

function booleansOffered(facts: Facts): Alternative[] {
  return booleanWords.flatMap((words) => {
    const good = sumOf(facts.counted.filter(({ group }) => words.includes(group.shape.toLowerCase())));
    const reading: TextReading = { ...plainText, ...found(facts), duckType: "BOOLEAN", booleans: words };
    return isOffered(good, facts) ? [offer(facts, "BOOLEAN", words.join("/"), reading)] : [];
  });
}

function numbersOffered(facts: Facts): Alternative[] {
  const { mark } = facts.source;
  const numbers = facts.counted.filter(({ number }) => number?.marks.includes(mark) === true && number.unit === null);
  const good = sumOf(numbers);
  if (!isOffered(good, facts)) return [];
  const { number, time } = found(facts);
  // Says what becomes of zeros in front, a plus or an exponent.
  const example = numbers.map(({ group }) => group.least).find((value) => String(numberOf(value, number)) !== value) ?? "";
  const label = (type: ColumnType, format: string | null) =>
    example === "" ? wayLabel(type, format) : `${wayLabel(type, null)} (${example.slice(0, 40)} becomes ${numberOf(example, number)})`;
  const whole = sumOf(numbers.filter(({ number: shape }) => shape?.isWhole(mark) === true));
  return [
    ...(whole === good ? [offer(facts, "integer", null, { ...plainText, number, time, duckType: "HUGEINT" }, label("integer", null))] : []),
    offer(facts, "decimal", mark, { ...plainText, number, time, duckType: decimalType(number) }, label("decimal", mark)),
  ];
}

/** Times, where most values are some: also eight digits and numbers of seconds or milliseconds, whatever the column is called. */
export function timesOffered(facts: Facts): Alternative[] {
  const { counted, source } = facts;
  const times = counted.filter(({ time }) => time !== undefined);
  const { number } = found(facts);
  const form = timeForm(times, source);
  const duckType = timeType(form);
  return [
    ...(isOffered(sumOf(times), facts)
      ? [
          offer(facts, duckType === "DATE" ? "TIMESTAMP_SECONDS" : "TIMESTAMP_MILLS", timeFormat(form), {
            ...plainText,
            number,
            time: form,
            duckType,
          }),
        ]
      : []),
    ...epochs.flatMap((epoch) => {
      const { unit, type } = epoch;
      const good = counted.filter(({ group }) => isEpoch(group, epoch));
      return isOffered(sumOf(good), facts) ? [offer(facts, type, `epoch-${unit}`, { ...plainText, number, duckType: "BIGINT" })] : [];
    }),
  ];
}

/** Numbers that are likely moments of 2001 to 2128, counted from 1970. */
export const epochs = [
  { unit: "seconds", type: "TIMESTAMP_SECONDS", digits: 10, from: 1e9, to: 5e9 },
  { unit: "milliseconds", type: "TIMESTAMP_MILLS", digits: 13, from: 1e12, to: 5e12 },
] as const;

/** Whether all values of a group are such numbers. */
export const isEpoch = ({ shape, least, greatest }: ShapeGroup, { digits, from, to }: (typeof epochs)[number]): boolean =>
  shape === "9".repeat(digits) && Number(least) >= from && Number(greatest) < to;
