import type { Column } from "@fairway/contract/columns";
import { measureAggregations } from "@fairway/contract/grid";
import { NativeSelect } from "@mantine/core";
import { aggregationNames, aggregationsOf, rowsPerArea, rowsPerCell } from "#parts/map-look/rows-look.ts";
import { type ColorBy, colorByTitle } from "./measures.ts";

interface Props {
  columns: readonly Column[];
  value: ColorBy;
  onChange: (colorBy: ColorBy) => void;
  /** Whether its label is seen. */
  isLabeled?: boolean;
}

const counts = [
  { value: "rows", label: rowsPerCell },
  { value: "area", label: rowsPerArea },
];

const name = "Color by";

/** Chooses what colors the cells: the number of rows, or a measure of a column. */
export function ColorBySelect({ columns, value: { measure, perArea }, onChange, isLabeled = false }: Props) {
  const groups = measureAggregations.flatMap((aggregation) => {
    const items = columns
      .filter((column) => aggregationsOf(column).includes(aggregation))
      .map((column) => ({
        value: `${aggregation} ${column.name}`,
        label: colorByTitle({ measure: { aggregation, column: column.name }, perArea: false }, [column]),
      }));
    return items.length === 0 ? [] : [{ group: aggregationNames[aggregation], items }];
  });
  return (
    <NativeSelect
      {...(isLabeled ? { label: name } : { "aria-label": name })}
      value={measure === null ? (perArea ? "area" : "rows") : `${measure.aggregation} ${measure.column}`}
      data={[{ group: "Rows", items: counts }, ...groups]}
      onChange={({ currentTarget: { value } }) => {
        const aggregation = measureAggregations.find((one) => value.startsWith(`${one} `));
        if (aggregation === undefined) onChange({ measure: null, perArea: value === "area" });
        else onChange({ measure: { aggregation, column: value.slice(aggregation.length + 1) }, perArea: false });
      }}
    />
  );
}
