import { type Column, type ColumnType, columnTypeName, isMoment } from "@fairway/contract/columns";
import { Icon123 } from "#ui/icons/number-123.ts";
import { IconClock } from "#ui/icons/clock.ts";
import { IconDecimal } from "#ui/icons/decimal.ts";
import { IconFileText } from "#ui/icons/file-text.ts";
import { IconLetterCase } from "#ui/icons/letter-case.ts";
import { IconMapPin } from "#ui/icons/map-pin.ts";
import type { IconComponent } from "#ui/icons/icon.ts";
import { IconToggleLeft } from "#ui/icons/toggle-left.ts";
import type { CoarseColumns, ShownForm } from "#parts/reader-part/coarse-columns.ts";
import { CoarseMark } from "#parts/reader-part/coarse-mark.tsx";
import { useId } from "react";
import classes from "./datasets.module.css";

const typeIcon: Record<ColumnType, IconComponent> = {
  STRING: IconLetterCase,
  BOOLEAN: IconToggleLeft,
  integer: Icon123,
  decimal: IconDecimal,
  TIMESTAMP_SECONDS: IconClock,
  TIMESTAMP_MILLS: IconClock,
};

/** An overview of a dataset's columns: type, name and unit. */
export function DatasetColumns({ columns, coarse }: { columns: readonly Column[]; coarse: CoarseColumns }) {
  const id = useId();
  return (
    <aside aria-labelledby={id}>
      <h3 id={id} className={classes["heading"]}>
        Columns {columns.length > 0 && <span>{columns.length.toLocaleString("en-US")}</span>}
      </h3>
      {columns.length === 0 && <p className={classes["none"]}>They are read from the rows of a search.</p>}
      <ul className={classes["datasetAboutColumns"]}>
        {columns.map((column) => (
          <ColumnLine key={column.name} column={column} coarse={coarse.get(column.name)} />
        ))}
      </ul>
    </aside>
  );
}

function ColumnLine({ column, coarse }: { column: Column; coarse: ShownForm | undefined }) {
  const { name, type, combined, description, unit } = column;
  const Icon = combined ? (combined.type === "COORDINATES" ? IconMapPin : IconFileText) : typeIcon[type];
  const kind = combined ? (combined.type === "COORDINATES" ? "Coordinates" : "File") : columnTypeName[type];
  const note = unit ?? (combined === null && isMoment(column) ? "UTC" : undefined);
  return (
    <li className={classes["column"]} title={description === "" ? kind : `${kind}: ${description}`}>
      <Icon size={14} role="img" aria-label={kind} />
      <span>{name}</span>
      <CoarseMark form={coarse} />
      {note !== undefined && <small>{note}</small>}
    </li>
  );
}
