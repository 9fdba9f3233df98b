import { Flex } from "@mantine/core";
import type { GraphModel } from "@fairway/contract/charts/graph-model";
import { labelWithUnit } from "@fairway/contract/charts/graph-wording";
import { formOfGraphColumn } from "#features/search/graphs/model/coarse-marks.ts";
import type { CoarseColumns } from "#parts/reader-part/coarse-columns.ts";
import { CoarseMark } from "#parts/reader-part/coarse-mark.tsx";
import classes from "./legend.module.css";

/** Legend of the columns; a click hides or shows a column. */
export function GraphLegend({
  model,
  coarse,
  hidden,
  onHidden,
}: {
  model: GraphModel;
  coarse: CoarseColumns;
  hidden: ReadonlySet<number>;
  onHidden: (hidden: ReadonlySet<number>) => void;
}) {
  const toggle = (index: number) => {
    const next = new Set(hidden);
    if (!next.delete(index)) next.add(index);
    onHidden(next);
  };
  return (
    <Flex rowGap="xs" columnGap="md" wrap="wrap">
      {model.columns.map(({ label, unit, color, column, isDashed }, index) => (
        <Flex key={column.id} align="center">
          <CoarseMark form={formOfGraphColumn(column, coarse)} />
          <button type="button" className={classes["legendItem"]} aria-pressed={!hidden.has(index)} onClick={() => toggle(index)}>
            <i data-dashed={isDashed || undefined} style={{ color }} />
            {labelWithUnit({ label, unit })}
          </button>
        </Flex>
      ))}
    </Flex>
  );
}
