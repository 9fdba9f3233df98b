import { formatCount, pluralize } from "@fairway/contract/counts";
import { ownDatasetForm, type OwnDatasetFile, type OwnDatasetFiles } from "@fairway/contract/own-dataset-form";
import type { OwnDataset } from "@fairway/contract/own-datasets";
import type { TextEncoding } from "@fairway/contract/readings";
import { Button, Group } from "@mantine/core";
import { queryOptions, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { startDownload } from "#lib/browser/download.ts";
import { call, urlOf } from "#lib/gateway/call.ts";
import { sizeText } from "#lib/text/size-text.ts";
import { useDataDoor } from "#parts/add-data/data-door.ts";
import { FileChooser } from "#parts/add-data/file-chooser.tsx";
import { useStartImport } from "#parts/add-data/start-import.ts";
import { FormSection } from "#parts/dataset-form/form-fields.tsx";
import { encodingName } from "#parts/reading/reading-words.ts";
import { DataTable, type TableColumn } from "#ui/kit/data-table.tsx";
import { QueryState } from "#ui/kit/query-state.tsx";
import { RelativeTime } from "#ui/relative-time.tsx";
import classes from "./own-data.module.css";

/** The files that the current rows were made of. */
const filesQuery = (id: string) =>
  queryOptions({
    queryKey: ["own-datasets", "files", id],
    queryFn: ({ signal }) => call(ownDatasetForm.files, { params: { id } }, { signal }),
    staleTime: 0,
  });

const columns: readonly TableColumn<OwnDatasetFile>[] = [
  { id: "file", header: "File", isRowHeader: true, cell: ({ file }) => file },
  {
    id: "rows",
    header: "Rows",
    phoneLabel: "Rows",
    align: "end",
    tabular: true,
    cell: ({ rows }) => (rows === null ? "" : formatCount(rows)),
  },
  { id: "size", header: "Size", phoneLabel: "Size", align: "end", tabular: true, cell: ({ size }) => sizeText(size) },
  { id: "added", header: "Added", phoneLabel: "Added", nowrap: true, cell: ({ addedMs }) => <RelativeTime epochMs={addedMs} /> },
  {
    id: "encoding",
    header: "Encoding",
    phoneLabel: "Encoding",
    cell: ({ encoding }) => (encoding === null ? "" : encodingName(encoding as TextEncoding)),
  },
  { id: "unreadable", header: "Not read", phoneLabel: "Not read", cell: unreadText },
];

/** `2 lines and 3 values`. */
function unreadText({ unreadable }: OwnDatasetFile): string {
  if (unreadable === null) return "";
  const { lines, values, isExact } = unreadable;
  const parts = [
    ...(lines > 0 ? [pluralize(lines, "line")] : []),
    ...(values > 0 ? [`${isExact ? "" : "at least "}${pluralize(values, "value")}`] : []),
  ];
  return parts.length === 0 ? "Nothing" : parts.join(" and ");
}

/** The files that an own dataset was made of, and the ways to add, replace and read them. */
export function OwnFilesSection({ own }: { own: OwnDataset }) {
  const { id } = own;
  return (
    <FormSection id="files">
      <QueryState query={useQuery(filesQuery(id))} loading={{ label: "Loading the files", rows: 2 }} failed="Failed to load the files">
        {(answer) => <Files own={own} answer={answer} />}
      </QueryState>
    </FormSection>
  );
}

function Files({ own, answer: { dataVersion, files, notReadAgain } }: { own: OwnDataset; answer: OwnDatasetFiles }) {
  const { id, datasetCategory, datasetId } = own;
  const door = useDataDoor();
  const { ofFiles, readAgain } = useStartImport();
  const into = (mode: "append" | "replace") => ({ into: { datasetCategory, datasetId, mode } });
  const download = ({ number }: OwnDatasetFile) =>
    startDownload(urlOf(ownDatasetForm.file, { id, n: String(number) }, { version: String(dataVersion) }));
  return (
    <>
      {files.length > 0 && (
        <DataTable
          columns={columns}
          rows={files}
          rowKey={({ number }) => number}
          label={pluralize(files.length, "file")}
          edges="flush"
          head="line"
          noteOf={unreadList}
          rowActions={{
            header: "Actions",
            of: (file) => [{ label: `Download ${file.file} as it was given`, text: "Download", run: () => download(file) }],
          }}
          hasCardsOnPhone
        />
      )}
      {door.kind === "open" ? (
        <Group gap="xs" mt="md">
          <FileChooser label="Add file" onFiles={(chosen) => ofFiles(chosen, into("append"))} />
          <FileChooser label="Replace" onFiles={(chosen) => ofFiles(chosen, into("replace"))} />
          {notReadAgain === null && (
            <Button variant="default" onClick={() => readAgain({ datasetCategory, datasetId })}>
              Change how it is read
            </Button>
          )}
        </Group>
      ) : (
        "reason" in door && <p className={classes["note"]}>{door.reason}</p>
      )}
      {notReadAgain !== null && <p className={classes["note"]}>{notReadAgain}</p>}
    </>
  );
}

/** The first values and lines that could not be read. */
function unreadList({ unreadable }: OwnDatasetFile): ReactNode {
  if (unreadable === null || unreadable.first.length === 0) return null;
  return (
    <ul className={classes["unread"]}>
      {unreadable.first.map(({ column, line, text }) => (
        <li key={`${column} ${line} ${text}`}>
          {[...(line === null ? [] : [`Line ${formatCount(line)}`]), ...(column === null ? [] : [column])].join(", ")}
          {": "}
          <q>{text}</q>
        </li>
      ))}
    </ul>
  );
}
