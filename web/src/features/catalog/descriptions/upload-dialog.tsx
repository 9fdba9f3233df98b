import { formatCount, pluralize } from "@fairway/contract/counts";
import { passesRole } from "@fairway/contract/access";
import { schemaEditRole } from "@fairway/contract/descriptions";
import { Button, Flex, SegmentedControl } from "@mantine/core";
import { IconFileUpload } from "#ui/icons/file-upload.ts";
import { useMemo, useRef, useState } from "react";
import { useCurrentUser } from "#lib/session/current-session.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { ChangedDescriptions } from "./changed-descriptions.tsx";
import type { DraftMode } from "./description-draft.ts";
import { compareCsv, type CsvComparison, type CsvProblem, type CsvRow, decodeCsv, readDescriptionsCsv } from "./read-csv.ts";
import { useSaveChanges } from "./save-changes.ts";
import type { SchemaDialogProps } from "./schema-dialog.ts";
import classes from "./descriptions.module.css";

const maxFileBytes = 20_000_000;
const shownProblems = 20;

type ChosenFile = { name: string } & ({ rows: readonly CsvRow[] } | { problems: readonly CsvProblem[] });

/** Descriptions from a CSV file. It shows what they would change, and writes nothing before the user confirms. */
export default function UploadDialog({ opened, onClose, ...props }: SchemaDialogProps) {
  const { datasetId } = props.schema.dataset;
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={`Upload descriptions of ${datasetId}`}
      size={760}
      fillsPhone
      closeOnClickOutside={false}
    >
      {opened && <Upload {...props} onClose={onClose} />}
    </Dialog>
  );
}

function Upload({ schema, etag, onClose }: Omit<SchemaDialogProps, "opened">) {
  const { roles } = useCurrentUser();
  const mayEditCommunity = passesRole(roles, schemaEditRole);
  const [mode, setMode] = useState<DraftMode>(mayEditCommunity ? "community" : "private");
  const [file, setFile] = useState<ChosenFile | null>(null);
  const comparison = useMemo(() => (file && "rows" in file ? compareCsv(file.rows, mode, schema) : null), [file, mode, schema]);
  const { save, isSaving } = useSaveChanges(mode, schema, etag, "Descriptions saved");
  const problems = file && "problems" in file ? file.problems : (comparison?.problems ?? []);
  const changes = problems.length === 0 ? (comparison?.changes ?? []) : [];
  return (
    <div className={classes["upload"]}>
      <p className={classes["uploadDialogNote"]}>
        A CSV file with the columns &apos;column&apos; and &apos;community&apos; or &apos;private&apos;, such as the download of this
        dataset. An empty description removes the stored one; columns without a row keep theirs.
      </p>
      <FileChooser file={file} onChoose={(chosen) => void readFile(chosen).then(setFile)} />
      {mayEditCommunity && (
        <SegmentedControl
          aria-label="Descriptions to change"
          value={mode}
          onChange={(value) => setMode(value === "private" ? "private" : "community")}
          data={[
            { value: "community", label: "Community" },
            { value: "private", label: "Private" },
          ]}
        />
      )}
      {problems.length > 0 && <Problems problems={problems} />}
      {comparison && problems.length === 0 && (
        <>
          <p role="status">{summaryOf(comparison)}</p>
          {comparison.unknown.length > 0 && (
            <p className={classes["uploadDialogNote"]}>
              {`Rows left out, because the dataset has no such column: ${comparison.unknown
                .slice(0, shownProblems)
                .map(({ line, column }) => `${column} (line ${formatCount(line)})`)
                .join(", ")}${comparison.unknown.length > shownProblems ? ", …" : ""}`}
            </p>
          )}
          {changes.length > 0 && <ChangedDescriptions key={`${file?.name} ${mode}`} names={["Stored", "File"]} changes={changes} />}
        </>
      )}
      <Flex gap="sm" justify="flex-end" wrap="wrap">
        <Button variant="default" onClick={onClose} disabled={isSaving}>
          Cancel
        </Button>
        <Button
          disabled={changes.length === 0}
          loading={isSaving}
          onClick={() => void save(changes).then((isSaved) => isSaved && onClose())}
        >
          {changes.length === 0 ? "Save" : `Save ${pluralize(changes.length, `${mode} description`)}`}
        </Button>
      </Flex>
    </div>
  );
}

function FileChooser({ file, onChoose }: { file: ChosenFile | null; onChoose: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const choose = (chosen: File | undefined) => chosen && onChoose(chosen);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept=".csv,text/csv"
        aria-label="File to upload"
        className="visually-hidden"
        tabIndex={-1}
        onChange={(event) => {
          choose(event.currentTarget.files?.[0]);
          event.currentTarget.value = "";
        }}
      />
      <button
        type="button"
        className={classes["drop"]}
        onClick={() => input.current?.click()}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          choose(event.dataTransfer.files[0]);
        }}
      >
        <IconFileUpload size={20} aria-hidden />
        {file ? `${file.name}. Choose a different file` : "Drop a CSV file here, or choose one"}
      </button>
    </>
  );
}

function Problems({ problems }: { problems: readonly CsvProblem[] }) {
  return (
    <div role="alert" className={classes["problems"]}>
      <strong>The file cannot be used</strong>
      <ul>
        {problems.slice(0, shownProblems).map(({ line, message }) => (
          <li key={`${line} ${message}`}>{line === null ? message : `Line ${formatCount(line)}: ${message}`}</li>
        ))}
      </ul>
      {problems.length > shownProblems && <p>{`And ${pluralize(problems.length - shownProblems, "more problem")}.`}</p>}
    </div>
  );
}

async function readFile(file: File): Promise<ChosenFile> {
  if (file.size > maxFileBytes) return { name: file.name, problems: [{ line: null, message: "Files must be under 20 MB." }] };
  return { name: file.name, ...readDescriptionsCsv(decodeCsv(await file.arrayBuffer())) };
}

function summaryOf({ changes, unchanged, unknown }: CsvComparison): string {
  const added = changes.filter(({ before }) => before === "").length;
  const removed = changes.filter(({ after }) => after === "").length;
  const counts = [
    [added, "added"],
    [changes.length - added - removed, "changed"],
    [removed, "removed"],
    [unchanged, "unchanged"],
    [unknown.length, unknown.length === 1 ? "unknown column" : "unknown columns"],
  ] as const;
  return counts.map(([count, what]) => `${formatCount(count)} ${what}`).join(" · ");
}
