import type { ColumnType } from "@fairway/contract/columns";
import type { ColumnSetting, ReadingSettings } from "./reading-settings.ts";
import { type NumberForm, plainNumbers } from "./number-forms.ts";
import { type TimeForm, isDayFormat } from "./time-forms.ts";

/** How the texts of a column are read as values. */
export interface TextReading {
  /** DuckDB's type of what they hold. */
  readonly duckType: string;
  readonly number: NumberForm;
  readonly time: TimeForm;
  /** The words for true and false. */
  readonly booleans: readonly [string, string];
  /** Numbers that mean that there is no value. */
  readonly missingNumbers: readonly string[];
}

export const booleanWords: readonly (readonly [string, string])[] = [
  ["true", "false"],
  ["yes", "no"],
  ["ja", "nein"],
  ["y", "n"],
];

export const isoTimes: TimeForm = { days: ["ISO"], hasClock: true, hasOffset: true, zone: "UTC", century: "1970-2069" };

export const plainText: TextReading = {
  duckType: "VARCHAR",
  number: plainNumbers,
  time: isoTimes,
  booleans: ["true", "false"],
  missingNumbers: [],
};

/** Whether it reads clocks of a zone, some of which do not exist. */
export const isLocal = ({ duckType, time }: TextReading): boolean =>
  duckType.startsWith("TIMESTAMP") && time.hasClock && time.zone !== "UTC";

/** The same as if no clock was ever changed. */
export const withoutZone = (reading: TextReading): TextReading => ({
  ...reading,
  missingNumbers: [],
  time: { ...reading.time, zone: "UTC" },
});

/** `D.M.Y clock`: the forms of the day, and whether there are clocks and offsets. */
export const timeFormat = ({ days, hasClock, hasOffset }: TimeForm): string =>
  `${days.join(", ")}${hasClock ? " clock" : ""}${hasOffset ? " offset" : ""}`;

/** Undefined if it is no format of times. */
export function parseTimeFormat(format: string): Pick<TimeForm, "days" | "hasClock" | "hasOffset"> | undefined {
  const hasOffset = format.endsWith(" offset");
  const withoutOffset = hasOffset ? format.slice(0, -" offset".length) : format;
  const hasClock = withoutOffset.endsWith(" clock");
  const days = (hasClock ? withoutOffset.slice(0, -" clock".length) : withoutOffset).split(", ");
  return days.every(isDayFormat) ? { days, hasClock, hasOffset } : undefined;
}

/** Whether a column may be read in this way. */
export function fits(type: ColumnType, format: string | null): boolean {
  if (format === null) return true;
  switch (type) {
    case "STRING":
      return false;
    case "BOOLEAN":
      return booleanWords.some((words) => words.join("/") === format);
    case "integer":
    case "decimal":
      return format === "." || format === ",";
    case "TIMESTAMP_SECONDS":
    case "TIMESTAMP_MILLS":
      return format === "epoch-seconds" || format === "epoch-milliseconds" || parseTimeFormat(format) !== undefined;
    default:
      return type satisfies never;
  }
}

/** The reading of a column whose type and format are decided. `found` is what its values suggest. */
export function settledReading(
  setting: ColumnSetting & { readonly type: ColumnType },
  found: TextReading,
  settings: ReadingSettings,
): TextReading {
  const { type, format = null, zone, unit, exact } = setting;
  const mark = format === "," || format === "." ? format : found.number.mark;
  const isFromFile = setting.state === undefined;
  const number: NumberForm = {
    mark,
    unit: isFromFile ? found.number.unit : (unit ?? null),
    exact: isFromFile ? found.number.exact : (exact ?? null),
  };
  const parsed = format === null ? undefined : parseTimeFormat(format);
  const time: TimeForm = { ...(parsed ?? found.time), zone: zone ?? settings.zone, century: settings.century };
  const booleans = booleanWords.find((words) => words.join("/") === format) ?? found.booleans;
  const common = { ...found, number, time, booleans };
  switch (type) {
    case "STRING":
      return { ...common, duckType: "VARCHAR" };
    case "BOOLEAN":
      return { ...common, duckType: "BOOLEAN" };
    case "integer":
      return { ...common, duckType: found.duckType === "BIGINT" ? "BIGINT" : "HUGEINT" };
    case "decimal":
      return { ...common, duckType: decimalType(number) };
    case "TIMESTAMP_SECONDS":
    case "TIMESTAMP_MILLS":
      if (format?.startsWith("epoch-") === true) return { ...common, duckType: "BIGINT" };
      return { ...common, duckType: timeType(time) };
    default:
      return type satisfies never;
  }
}

export const decimalType = ({ exact }: NumberForm): string => (exact === null ? "DOUBLE" : `DECIMAL(${exact.digits},${exact.scale})`);

export const timeType = (time: TimeForm): string =>
  !time.hasClock ? "DATE" : time.hasOffset || time.zone !== "UTC" ? "TIMESTAMP WITH TIME ZONE" : "TIMESTAMP";
