/** The first and last number of each part. */
export const calendarRanges = {
  minuteOfHour: [0, 59],
  hourOfDay: [0, 23],
  dayOfWeek: [1, 7],
  dayOfMonth: [1, 31],
  weekOfYear: [1, 53],
  monthOfYear: [1, 12],
  quarterOfYear: [1, 4],
} as const satisfies Readonly<Record<string, readonly [first: number, last: number]>>;

/** Bounds of one search besides its settings `filtersPerSearch` and `filterListValues`. */
export const filterLimits = {
  /** Lists of one `any`, and filters of one of its lists. */
  alternatives: { least: 2, most: 10 },
  filtersPerAlternative: 10,
  /** Values of all lists together. */
  listValues: 5_000,
  zoneCharacters: 100,
} as const;

/** The name of alternatives, which are of no single column. */
export const alternativesName = "*";
