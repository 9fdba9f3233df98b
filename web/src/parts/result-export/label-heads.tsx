import type { Column } from "@fairway/contract/columns";
import { Checkbox } from "@mantine/core";

interface Props {
  /** Of the file. */
  columns: readonly Column[];
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** Whether a CSV file has labels in its first line. Not shown where no column has one. */
export const LabelHeads = ({ columns, checked, onChange }: Props) =>
  columns.some(({ label }) => label !== undefined) && (
    <Checkbox
      label="Use labels as headers"
      description="In CSV, in place of the names of columns"
      checked={checked}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
