import type { Column } from "@fairway/contract/columns";
import type { ResultRow } from "@fairway/contract/search";
import { Checkbox } from "@mantine/core";
import { useState } from "react";
import { cellText, readsAsCode } from "#lib/cell-text.ts";
import { useResultZone } from "#lib/result-zone.ts";
import { Breakable } from "#ui/breakable.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { NoValue } from "#features/search/results/table/table-row.tsx";
import classes from "./compare.module.css";

interface Props {
  opened: boolean;
  columns: readonly Column[];
  /** Indexes among the loaded rows. */
  indexes: readonly number[];
  rows: readonly ResultRow[];
  titleField: string | null;
  onClose: () => void;
}

/** Rows side by side, a line for each field. Fields that differ are marked. */
export function CompareDialog({ opened, columns, indexes, rows, titleField, onClose }: Props) {
  const zone = useResultZone();
  const [onlyDifferences, setOnlyDifferences] = useState(false);
  const compared = indexes.flatMap((index) => {
    const row = rows[index];
    return row === undefined ? [] : [{ index, row }];
  });
  const fields = columns.map((column) => {
    const texts = compared.map(({ row }) => cellText(column, row, zone));
    return { column, texts, differs: texts.some((text) => text !== texts[0]) };
  });
  const differing = fields.filter(({ differs }) => differs);
  const titleColumn = columns.find(({ name }) => name === titleField);
  return (
    <Dialog opened={opened} onClose={onClose} title={`Compare ${compared.length} rows`} size={Math.max(560, 200 + compared.length * 190)}>
      <div className={classes["head"]}>
        <span>
          {differing.length} of {fields.length} fields differ
        </span>
        <Checkbox
          label="Only differences"
          checked={onlyDifferences}
          onChange={(event) => setOnlyDifferences(event.currentTarget.checked)}
        />
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region is reached by the keyboard */}
      <div className={classes["scroller"]} tabIndex={0} role="region" aria-label="Compared rows">
        <table>
          <thead>
            <tr>
              <th scope="col">Field</th>
              {compared.map(({ index, row }) => (
                <th key={index} scope="col">
                  {(titleColumn && cellText(titleColumn, row, zone)) ?? "Row"} <small>row {(index + 1).toLocaleString("en-US")}</small>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {(onlyDifferences ? differing : fields).map(({ column, texts, differs }) => (
              <tr key={column.name} data-differs={differs || undefined}>
                <th scope="row">
                  <Breakable text={column.name} />
                  {differs && <span className="visually-hidden"> (differs)</span>}
                </th>
                {texts.map((text, place) => (
                  <td key={compared[place]?.index} className={readsAsCode(column) ? classes["code"] : undefined}>
                    {text ?? <NoValue />}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Dialog>
  );
}
