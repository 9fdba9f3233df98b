import type { ColumnType } from "@fairway/contract/columns";
import type { Storage } from "./table.ts";

const numbers: readonly Storage["kind"][] = ["integer", "exact-decimal", "floating"];
const compatibleStorage: Readonly<Record<Exclude<ColumnType, "STRING">, readonly Storage["kind"][]>> = {
  BOOLEAN: ["boolean"],
  integer: ["integer", "exact-decimal", "floating"],
  decimal: numbers,
  TIMESTAMP_SECONDS: ["instant", ...numbers],
  TIMESTAMP_MILLS: ["instant", ...numbers],
};

/** Whether values stored this way can be compared and shown as the type. Anything can be shown as text. */
export const isCompatible = (type: ColumnType, storage: Storage): boolean =>
  type === "STRING" || compatibleStorage[type].includes(storage.kind);
