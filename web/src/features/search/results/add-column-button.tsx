import { Button } from "@mantine/core";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { IconPlus } from "#ui/icons/plus.ts";
import type { ResultsDialog } from "./dialogs.tsx";
import { newColumn } from "./new-column.ts";
import classes from "./results-page.module.css";

/** Adds a column to the search. */
export function AddColumnButton({ record, onDialog }: { record: SearchRecord; onDialog: (dialog: ResultsDialog) => void }) {
  const added = newColumn(record);
  return (
    <Button
      className={classes["addColumn"] ?? ""}
      aria-label="Add column"
      variant="default"
      disabled={added === null}
      leftSection={<IconPlus size={16} aria-hidden />}
      onClick={() => added && onDialog(added)}
    >
      Add column
    </Button>
  );
}
