import { operator } from "@fairway/contract/columns";
import type { ComparisonCondition, Condition, PlainCondition, RangeCondition } from "./engine.ts";
import type { GrantedRows } from "./scope.ts";

export const isComparison = (condition: Condition): condition is ComparisonCondition => operator.safeParse(condition.operator).success;

/** The conditions on single columns with those within alternatives. */
export const plainConditions = (conditions: readonly Condition[]): PlainCondition[] =>
  conditions.flatMap((condition) => {
    if (condition.operator === "any") return condition.lists.flat();
    return condition.operator === "within" ? [] : [condition];
  });

/** The columns that conditions name, perhaps more than once. */
export const columnsInConditions = (conditions: readonly Condition[]): string[] =>
  conditions.flatMap((condition) =>
    condition.operator === "within" ? [condition.latitude, condition.longitude] : plainConditions([condition]).map(({ column }) => column),
  );

/** The columns that decide which rows a grant shows, perhaps more than once. */
export const columnsOfGrant = ({ timeRange, area, conditions }: GrantedRows): string[] => [
  ...columnsInConditions(conditions),
  ...(timeRange === null ? [] : [timeRange.column]),
  ...(area === null ? [] : [area.latitude, area.longitude]),
];

/** The comparisons that a range is made of, whether or not it is negated. */
export const endsOf = ({ column, type, day, low, high }: RangeCondition): readonly [ComparisonCondition, ComparisonCondition] => {
  const shared = { column, type, ...(day === true ? { day } : {}) } as const;
  return [
    { ...shared, ...low, operator: ">=" },
    { ...shared, ...high, operator: "<=" },
  ];
};
