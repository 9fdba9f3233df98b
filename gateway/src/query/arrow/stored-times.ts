import { TimeUnit } from "apache-arrow";
import type { SqlColumn } from "#query/sql/table.ts";

/** The unit of times that are stored as numbers of seconds or milliseconds. Fractions are kept, as microseconds. */
export const storedUnit = ({ type, storage }: SqlColumn): TimeUnit =>
  storage.kind !== "integer" ? TimeUnit.MICROSECOND : type === "TIMESTAMP_SECONDS" ? TimeUnit.SECOND : TimeUnit.MILLISECOND;
