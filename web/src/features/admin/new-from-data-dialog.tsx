import type { Column } from "@fairway/contract/columns";
import { datasetAdministration } from "@fairway/contract/dataset-administration";
import type { ResultRow } from "@fairway/contract/search";
import { Button } from "@mantine/core";
import { IconArrowUp, IconFile, IconFolder } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#lib/call.ts";
import { cellText } from "#lib/cell-text.ts";
import { messagesOf } from "#lib/gateway-error.ts";
import { Dialog } from "#ui/dialog.tsx";
import { EmptyState, ErrorState, LoadingRows } from "#ui/states.tsx";
import type { EntityDraft } from "./entity.ts";
import editor from "./editor.module.css";
import classes from "./new-from-data.module.css";

interface NewFromDataProps {
  opened: boolean;
  onClose: () => void;
  /** Continues in the editor with the proposed dataset. */
  onContinue: (initial: EntityDraft) => void;
}

/** Inspects a file or folder of the data folder and shows the dataset that it would make. */
export default function NewFromDataDialog({ opened, onClose, onContinue }: NewFromDataProps) {
  const [folder, setFolder] = useState("");
  const [path, setPath] = useState<string | null>(null);
  const entries = useQuery({
    queryKey: ["admin", "data-folder", folder],
    queryFn: ({ signal }) => call(datasetAdministration.dataFolder, { query: { path: folder } }, { signal }),
    staleTime: 0,
  });
  const proposal = useQuery({
    queryKey: ["admin", "inspect", path],
    queryFn: ({ signal }) => call(datasetAdministration.inspect, { body: { path: path ?? "" } }, { signal }),
    enabled: path !== null,
    retry: false,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const parent = folder.includes("/") ? folder.slice(0, folder.lastIndexOf("/")) : "";
  const openFolder = (to: string) => {
    setFolder(to);
    setPath(null);
  };
  return (
    <Dialog opened={opened} onClose={onClose} title="New from data" size={920} fillsPhone closeOnClickOutside={false}>
      <div className={classes["columns"]}>
        <section aria-label="Data folder">
          <p className={editor["note"]}>{folder === "" ? "Data folder" : folder}</p>
          {entries.isPending ? (
            <LoadingRows label="Loading the folder" rows={6} />
          ) : entries.data === undefined ? (
            <ErrorState
              message="The folder could not be read."
              details={messagesOf(entries.error)}
              onRetry={() => void entries.refetch()}
            />
          ) : (
            <ul>
              {folder !== "" && (
                <li>
                  <button type="button" onClick={() => openFolder(parent)}>
                    <IconArrowUp size={16} aria-hidden /> Up
                  </button>
                  <button type="button" aria-pressed={path === folder} onClick={() => setPath(folder)}>
                    <IconFolder size={16} aria-hidden /> This whole folder
                  </button>
                </li>
              )}
              {entries.data.map((entry) => (
                <li key={entry.path}>
                  <button
                    type="button"
                    {...(entry.kind === "file" ? { "aria-pressed": path === entry.path } : {})}
                    onClick={() => (entry.kind === "folder" ? openFolder(entry.path) : setPath(entry.path))}
                  >
                    {entry.kind === "folder" ? <IconFolder size={16} aria-hidden /> : <IconFile size={16} aria-hidden />}
                    {entry.name}
                  </button>
                </li>
              ))}
              {entries.data.length === 0 && <li className={editor["note"]}>There is no data here.</li>}
            </ul>
          )}
        </section>
        <section aria-label="What was found" className={classes["found"]}>
          {path === null ? (
            <EmptyState>Choose a file, or a folder of files that belong together.</EmptyState>
          ) : proposal.isPending ? (
            <LoadingRows label="Looking at the data" rows={8} />
          ) : proposal.data === undefined ? (
            <ErrorState
              message="No dataset could be made of it."
              details={messagesOf(proposal.error)}
              onRetry={() => void proposal.refetch()}
            />
          ) : (
            <>
              {proposal.data.problems.length > 0 && (
                <ul className={classes["problems"]} aria-label="What cannot be read">
                  {proposal.data.problems.map((problem) => (
                    <li key={problem}>{problem}</li>
                  ))}
                </ul>
              )}
              <ul className={classes["notes"]}>
                {proposal.data.notes.map((note) => (
                  <li key={note}>{note}</li>
                ))}
              </ul>
              <Sample dataset={proposal.data.dataset} rows={proposal.data.sample} />
            </>
          )}
        </section>
      </div>
      <div className={editor["footer"]}>
        <span />
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button disabled={!proposal.data || path === null} onClick={() => proposal.data && onContinue(proposal.data.dataset)}>
          Continue
        </Button>
      </div>
    </Dialog>
  );
}

function Sample({ dataset, rows }: { dataset: Readonly<Record<string, unknown>>; rows: readonly Record<string, unknown>[] }) {
  const { columns } = dataset["schema"] as { columns: readonly Column[] };
  const dayColumns = new Set(columns.filter((column) => containsDays(column, rows)).map(({ name }) => name));
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, also by keyboard
    <div className={classes["sample"]} tabIndex={0} role="region" aria-label="Sample">
      <table>
        <thead>
          <tr>
            {columns.map(({ name, type, combined }) => (
              <th key={name} scope="col">
                {name} <span>{combined?.type ?? type}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, 10).map((row, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- sample rows have no other key
            <tr key={index}>
              {columns.map((column) => (
                <td key={column.name}>{sampleText(column, row as ResultRow, dayColumns.has(column.name))}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Whether a column of times contains whole days only. */
function containsDays({ name, type }: Column, rows: readonly Record<string, unknown>[]): boolean {
  const values = rows.map((row) => row[name]).filter((value) => value !== null && value !== undefined);
  return type === "TIMESTAMP_SECONDS" && values.length > 0 && values.every((value) => typeof value === "number" && value % 86_400 === 0);
}

/** For a day, only the part before the comma of a formatted time. */
function sampleText(column: Column, row: ResultRow, isDay: boolean): string | null {
  const text = cellText(column, row);
  return isDay ? (text?.split(",")[0] ?? text) : text;
}
