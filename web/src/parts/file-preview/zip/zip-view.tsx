import { pluralize } from "@fairway/contract/counts";
import { useMemo } from "react";
import { sizeText } from "#lib/text/size-text.ts";
import { LoadingRows } from "#ui/states.tsx";
import type { ViewProps } from "../preview-type.ts";
import type { TableData } from "../table-data.ts";
import { TableView } from "../table-view.tsx";
import { useFile } from "../use-file.ts";
import { loadZip, type ZipContents } from "./zip-contents.ts";

/** Contents of a zip file, by its own list. Nothing is unpacked. */
export function ZipView(props: ViewProps) {
  const contents = useFile(props, loadZip);
  return contents === null ? <LoadingRows label="Loading preview" /> : <Contents contents={contents} />;
}

function Contents({ contents: { entries, isCut } }: { contents: ZipContents }) {
  const table = useMemo(() => tableOf(entries), [entries]);
  const files = entries.filter(({ isFolder }) => !isFolder);
  const folders = entries.length - files.length;
  const unpacked = files.reduce((sum, { size }) => sum + size, 0);
  return (
    <TableView
      table={table}
      summary={`${pluralize(files.length, "file")}${folders > 0 ? `, ${pluralize(folders, "folder")}` : ""}, ${sizeText(unpacked)} unpacked`}
      note={isCut ? `Shows the first ${pluralize(entries.length, "entry", "entries")}.` : undefined}
    />
  );
}

function tableOf(entries: ZipContents["entries"]): TableData {
  const modified = entries.map(({ modifiedMs }) => modifiedMs);
  const sizes = (of: (entry: ZipContents["entries"][number]) => number) =>
    entries.map((entry) => (entry.isFolder ? Number.NaN : of(entry)));
  return {
    columns: [
      { name: "Name", isNumeric: false },
      { name: "Size", isNumeric: true, keys: sizes(({ size }) => size) },
      { name: "Compressed", isNumeric: true, keys: sizes(({ compressedSize }) => compressedSize) },
      { name: "Modified", isNumeric: false, keys: modified },
    ],
    rows: entries.map(({ name, isFolder, size, compressedSize, modifiedMs }) => [
      name,
      isFolder ? "" : sizeText(size),
      isFolder ? "" : sizeText(compressedSize),
      dateText(modifiedMs),
    ]),
  };
}

/** Archives name no time zone. */
const dateText = (ms: number): string => (Number.isNaN(ms) ? "" : new Date(ms).toISOString().slice(0, 19).replace("T", " "));
