import { type Alternative, type ColumnDecision, type Facts, decision, found, isDominant, sumOf } from "./column-facts.ts";
import { booleanWords, plainText } from "./text-reading.ts";

export function asText(facts: Facts, sentence: string, also: readonly Alternative[]): ColumnDecision {
  const { number, time } = found(facts);
  const reading = { ...plainText, number, time };
  return decision({ ...facts, missing: 0 }, facts.filled, {
    type: "STRING",
    format: null,
    reading,
    sentence,
    needsCount: false,
    also: [...also, ...booleansOffered(facts), ...numbersOffered(facts)],
  });
}

function booleansOffered({ counted, filled, missing }: Facts): Alternative[] {
  return booleanWords.slice(1).flatMap((words) => {
    const good = sumOf(counted.filter(({ group }) => words.includes(group.shape.toLowerCase())));
    return isDominant(good, filled, missing)
      ? [
          {
            type: "BOOLEAN" as const,
            format: words.join("/"),
            label: `true or false (${words.join("/")})`,
            unreadable: filled - missing - good,
          },
        ]
      : [];
  });
}

function numbersOffered({ counted, filled, missing, source }: Facts): Alternative[] {
  const numbers = counted.filter(({ number }) => number?.marks.includes(source.mark) === true);
  const good = sumOf(numbers);
  if (good * 2 < filled - missing || good === 0) return [];
  const whole = sumOf(numbers.filter(({ number }) => number?.isWhole(source.mark) === true));
  const unreadable = filled - missing - good;
  return [
    ...(whole === good ? [{ type: "integer" as const, format: null, label: "integer", unreadable }] : []),
    { type: "decimal", format: source.mark, label: "decimal", unreadable },
  ];
}
