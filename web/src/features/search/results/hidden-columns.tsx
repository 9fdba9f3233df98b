import { type Column, columnTitleIn } from "@fairway/contract/columns";
import { IconEyeOff } from "#ui/icons/eye-off.ts";
import { type ColumnLayout, withAllShown } from "./table/column-layout.ts";
import classes from "./results-page.module.css";

interface Props {
  columns: readonly Column[];
  layout: ColumnLayout;
  onLayoutChange: (layout: ColumnLayout) => void;
}

/** Says that columns are hidden, which the user or the author of a link may have done long ago, and shows them. */
export function HiddenColumns({ columns, layout, onLayoutChange }: Props) {
  const { size } = layout.hidden;
  if (size === 0 || size === layout.order.length) return null;
  return (
    <button
      type="button"
      className={classes["hidden"]}
      title={`Hidden: ${Array.from(layout.hidden, (name) => columnTitleIn(columns, name)).join(", ")}`}
      onClick={() => onLayoutChange(withAllShown(layout))}
    >
      <IconEyeOff size={14} aria-hidden />
      {size} hidden <span>Show</span>
    </button>
  );
}
