/** Units of `start_of`. Weeks begin on Monday. */
export const startUnits = ["minute", "hour", "day", "week", "month", "quarter", "year"] as const;
export type StartUnit = (typeof startUnits)[number];

/** Units of `add`. */
export const addUnits = ["second", "minute", "hour", "day", "week", "month", "quarter", "year"] as const;
export type AddUnit = (typeof addUnits)[number];

/** Units that lead from a whole day to a whole day. */
export const dayUnits: ReadonlySet<string> = new Set<AddUnit>(["day", "week", "month", "quarter", "year"]);
