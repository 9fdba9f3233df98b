import { operator } from "@fairway/contract/columns";
import type { AlternativesCondition, ComparisonCondition, Condition, PlainCondition, RangeCondition } from "./engine.ts";

export const isComparison = (condition: Condition): condition is ComparisonCondition => operator.safeParse(condition.operator).success;

/** The conditions with those within alternatives. */
export const everyCondition = (conditions: readonly Condition[]): PlainCondition[] =>
  conditions.flatMap((condition) => (isAlternatives(condition) ? condition.lists.flat() : [condition]));

const isAlternatives = (condition: Condition): condition is AlternativesCondition => condition.operator === "any";

/** The comparisons that a range is made of, whether or not it is negated. */
export const endsOf = ({ column, type, day, low, high }: RangeCondition): readonly [ComparisonCondition, ComparisonCondition] => {
  const shared = { column, type, ...(day === true ? { day } : {}) } as const;
  return [
    { ...shared, ...low, operator: ">=" },
    { ...shared, ...high, operator: "<=" },
  ];
};
