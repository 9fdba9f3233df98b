import type { Column } from "@fairway/contract/columns";
import type { ReaderAccess } from "@fairway/contract/dataset-access";
import type { ResultRow } from "@fairway/contract/search";
import { Stack, Text, UnstyledButton } from "@mantine/core";
import { IconBraces } from "#ui/icons/braces.ts";
import { IconFileSpreadsheet } from "#ui/icons/file-spreadsheet.ts";
import { IconTerminal2 } from "#ui/icons/terminal-2.ts";
import { type ReactNode, useState } from "react";
import { downloadBlob } from "#lib/browser/download.ts";
import { PartOfRows } from "#parts/reader-part/part-of-rows.tsx";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { toastSuccess } from "#ui/toast/toast.ts";
import { csvFile, exportFileName, type ExportFormat, jsonFile } from "./export-file.ts";
import { LabelHeads } from "./label-heads.tsx";
import classes from "./result-export.module.css";

interface Props {
  opened: boolean;
  categoryId: string;
  datasetId: string;
  access: ReaderAccess | undefined;
  /** The columns on the screen, in their order. */
  visibleColumns: readonly Column[];
  rows: readonly ResultRow[];
  /** Total rows of the search, loaded or not; null when unknown. */
  totalRows: number | null;
  onCopyCurl: () => void;
  onClose: () => void;
}

/** 'Export Current Results': the loaded rows as a file, or the search as a command. */
export function ExportDialog({ opened, categoryId, datasetId, access, visibleColumns, rows, totalRows, onCopyCurl, onClose }: Props) {
  const [hasLabels, setHasLabels] = useState(false);
  const [writing, setWriting] = useState<ExportFormat | null>(null);
  const save = async (format: ExportFormat) => {
    setWriting(format);
    const file = format === "csv" ? await csvFile(visibleColumns, rows, hasLabels) : await jsonFile(rows);
    const name = exportFileName(categoryId, datasetId, format);
    downloadBlob(file, name);
    setWriting(null);
    onClose();
    toastSuccess(`${name} saved`);
  };
  const count = rows.length.toLocaleString("en-US");
  const more = totalRows !== null && totalRows > rows.length;
  return (
    <Dialog opened={opened} onClose={onClose} title="Export Current Results" size={480}>
      <Text mb="md" c="dimmed">
        {more ? `Exports the ${count} rows loaded, of ${totalRows.toLocaleString("en-US")}.` : `Exports the ${count} rows loaded.`}
      </Text>
      <Stack gap="sm">
        {access?.rows === "some" && (
          <div>
            <PartOfRows access={access} />
          </div>
        )}
        <LabelHeads columns={visibleColumns} checked={hasLabels} onChange={setHasLabels} />
        <Choice
          icon={<IconFileSpreadsheet size={20} aria-hidden />}
          name="CSV"
          text={
            visibleColumns.length === 0
              ? "All columns are hidden."
              : `The ${visibleColumns.length} visible columns in their order. Times are ISO 8601 in UTC.`
          }
          disabled={writing !== null || visibleColumns.length === 0}
          onChoose={() => void save("csv")}
        />
        <Choice
          icon={<IconBraces size={20} aria-hidden />}
          name="JSON"
          text="Every column, with values as the server sent them."
          disabled={writing !== null}
          onChoose={() => void save("json")}
        />
        <Choice
          icon={<IconTerminal2 size={20} aria-hidden />}
          name="Copy cURL Command"
          text="Runs this search against the server. Reads your API key from FAIRWAY_API_KEY."
          disabled={false}
          onChoose={() => {
            onClose();
            onCopyCurl();
          }}
        />
      </Stack>
    </Dialog>
  );
}

interface ChoiceProps {
  icon: ReactNode;
  name: string;
  text: string;
  disabled: boolean;
  onChoose: () => void;
}

function Choice({ icon, name, text, disabled, onChoose }: ChoiceProps) {
  return (
    <UnstyledButton className={classes["choice"] ?? ""} disabled={disabled} aria-label={name} title={text} onClick={onChoose}>
      {icon}
      <span>
        <strong>{name}</strong>
        <small>{text}</small>
      </span>
    </UnstyledButton>
  );
}
