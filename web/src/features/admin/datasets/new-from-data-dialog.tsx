import type { ReadingChoices } from "@fairway/contract/readings";
import { Button, SegmentedControl, TextInput } from "@mantine/core";
import { useState } from "react";
import { useDataDoor } from "#parts/add-data/data-door.ts";
import { FileChooser } from "#parts/add-data/file-chooser.tsx";
import { useStartImport } from "#parts/add-data/start-import.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { sameContent, UnsavedChanges } from "#ui/dialog/unsaved-changes.tsx";
import { BucketList } from "./bucket-list.tsx";
import { DataFolderList } from "./data-folder-list.tsx";
import type { EntityDraft } from "../entities/entity.ts";
import { FoundDataset } from "./found-dataset.tsx";
import { type ChosenSource, useProposal } from "./found-dataset-queries.ts";
import { TableList } from "./table-list.tsx";
import { openQuestions, openWarning } from "#parts/reading/reading-words.ts";
import editor from "../editor/editor.module.css";
import classes from "./datasets.module.css";

interface NewFromDataProps {
  opened: boolean;
  onClose: () => void;
  /** Continues in the editor with the proposed dataset. */
  onContinue: (initial: EntityDraft) => void;
}

type Kind = ChosenSource["kind"] | "upload";

const upload: { value: Kind; label: string } = { value: "upload", label: "Upload" };
const kinds: { value: Kind; label: string }[] = [
  { value: "files", label: "Files" },
  { value: "bucket", label: "S3" },
  { value: "table", label: "Tables" },
];

/** Inspects files of the data folder or of a bucket, or a table of the query server, and shows the dataset that they would make. */
export default function NewFromDataDialog({ opened, onClose, onContinue }: NewFromDataProps) {
  const [kind, setKind] = useState<Kind>("files");
  const [chosen, setChosen] = useState<ChosenSource | null>(null);
  const [choices, setChoices] = useState<ReadingChoices>({});
  /** The typed one; null as long as the proposed one stays. */
  const [category, setCategory] = useState<string | null>(null);
  const mayUpload = useDataDoor().kind === "open";
  const proposal = useProposal(chosen, choices);
  const choose = (name: string | null) => {
    setChosen(name === null || kind === "upload" ? null : { kind, name });
    setChoices({});
    setCategory(null);
  };
  const changeKind = (next: Kind) => {
    setKind(next);
    choose(null);
  };
  const { found, isReading, error } = proposal;
  const open = openQuestions(found?.reading?.questions ?? []);
  const ready = chosen !== null && !isReading && error === null ? found : undefined;
  return (
    <Dialog opened={opened} onClose={onClose} title="New from data" size={1080} fillsPhone closeOnClickOutside={false}>
      <UnsavedChanges when={!sameContent(choices, {}) || category !== null} />
      <div className={classes["columns"]}>
        <div className={classes["source"]}>
          <SegmentedControl
            fullWidth
            aria-label="Where the data is"
            data={mayUpload ? [upload, ...kinds] : kinds}
            value={kind}
            onChange={changeKind}
          />
          {kind === "upload" && <UploadFiles onStarted={onClose} />}
          {kind === "files" && <DataFolderList path={chosen?.name ?? null} onPath={choose} />}
          {kind === "bucket" && <BucketList path={chosen?.name ?? null} onPath={choose} />}
          {kind === "table" && <TableList table={chosen?.name ?? null} onTable={choose} />}
        </div>
        <section aria-label="What was found" className={classes["found"]}>
          {chosen !== null && found !== undefined && (
            <TextInput
              className={classes["category"] ?? ""}
              label="Category"
              description="The group of datasets in which people find it."
              value={category ?? proposedCategory(found)}
              maxLength={200}
              onChange={(event) => setCategory(event.currentTarget.value)}
            />
          )}
          <FoundDataset proposal={chosen === null ? null : proposal} choices={choices} onChoices={setChoices} hint={hints[kind]} />
        </section>
      </div>
      <div className={editor["footer"]}>
        <span role="status">{ready === undefined || open === 0 ? "" : openWarning(open)}</span>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          disabled={ready === undefined}
          onClick={() => ready && onContinue(category === null ? ready.dataset : { ...ready.dataset, category: category.trim() })}
        >
          Continue
        </Button>
      </div>
    </Dialog>
  );
}

const hints: Readonly<Record<Kind, string>> = {
  upload: "Choose files of your own. How they are read is shown next.",
  files: "Choose a file, or a folder to read as one dataset.",
  bucket: "Choose a file, or a folder to read as one dataset.",
  table: "Choose a catalog, a schema and a table.",
};

/** Continues on the screen that adds data, with a category. */
function UploadFiles({ onStarted }: { onStarted: () => void }) {
  const { ofFiles } = useStartImport();
  return (
    <div className={classes["upload"]}>
      <p>The files become an ordinary dataset of a category, with the roles that you choose.</p>
      <FileChooser
        label="Choose files"
        onFiles={(files) => {
          onStarted();
          ofFiles(files, { category: "" });
        }}
      />
    </div>
  );
}

const proposedCategory = ({ dataset }: { readonly dataset: EntityDraft }): string =>
  typeof dataset["category"] === "string" ? dataset["category"] : "";
