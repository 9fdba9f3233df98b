import { formatCount, plural, pluralize } from "@fairway/contract/counts";
import { Button, Checkbox, Flex, Text } from "@mantine/core";
import { IconUpload } from "#ui/icons/upload.ts";
import { type ReactNode, useEffect, useId, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { usePortalSettings } from "#lib/gateway/portal-settings.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { useUnsavedChanges } from "#ui/dialog/unsaved-changes.tsx";
import { type ChosenFile, chosenFiles } from "./chosen-files.ts";
import { isActive, type Upload, UploadQueue } from "./upload-queue.ts";
import { UploadRow } from "./upload-row.tsx";
import { useFileDrop } from "./use-file-drop.ts";
import classes from "./upload-dialog.module.css";

interface Props {
  opened: boolean;
  /** Id of the fileset. */
  fileset: string;
  /** Folder to upload to: folders joined by slashes, empty for the root. */
  path: string;
  /** Files that were dropped on the listing. */
  initialFiles: readonly ChosenFile[];
  /** Names in the folder, those of folders with a trailing slash; null while the listing is incomplete. */
  existing: ReadonlySet<string> | null;
  /** Called soon after files have been uploaded, with their paths from the root of the fileset. */
  onUploaded: (paths: readonly string[]) => void;
  onClose: () => void;
}

/** Uploads files and folders to a folder of a fileset. Mount it anew each time it opens; unmounting cancels what is not complete. */
export function UploadDialog({ opened, fileset, path, onClose, ...rest }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title={`Upload to ${fileset}`} size={560} fillsPhone>
      <Uploads fileset={fileset} path={path} onClose={onClose} {...rest} />
    </Dialog>
  );
}

function Uploads({ fileset, path, initialFiles, existing, onUploaded, onClose }: Omit<Props, "opened">) {
  const {
    limits: { uploadMaxBytes, uploadPartsFromBytes },
    scansUploads,
  } = usePortalSettings();
  const latestOnUploaded = useRef(onUploaded);
  useEffect(() => {
    latestOnUploaded.current = onUploaded;
  });
  const queue = useQueue(
    () =>
      new UploadQueue({
        fileset,
        path,
        existing,
        maxBytes: uploadMaxBytes,
        partsFromBytes: uploadPartsFromBytes,
        scans: scansUploads,
        onUploaded: (paths) => latestOnUploaded.current(paths),
      }),
    initialFiles,
  );
  const uploads = useSyncExternalStore(queue.subscribe, queue.uploads);
  const [foundNone, setFoundNone] = useState(false);
  const add = (files: readonly ChosenFile[]) => {
    setFoundNone(files.length === 0);
    queue.add(files);
  };
  const active = uploads.filter(isActive).length;
  const list = useRef<HTMLUListElement>(null);
  useUnsavedChanges(active > 0, { question: leaveQuestion, locationParams });
  return (
    <div className={classes["uploads"]}>
      <p className={classes["target"]}>{path === "" ? "Into the root folder" : `Into ${path}`}</p>
      <DropZone onFiles={add} />
      {foundNone && (
        <Text role="alert" mt="md" c="yellow">
          There are no files in what you dropped. Empty folders aren't uploaded.
        </Text>
      )}
      <ExistingQuestion uploads={uploads} queue={queue} onLastAnswer={() => list.current?.focus()} />
      <ul ref={list} tabIndex={-1} aria-label="Files" className={classes["list"]}>
        {uploads.map((upload) => (
          <UploadRow key={upload.id} upload={upload} queue={queue} />
        ))}
      </ul>
      <div className={classes["footer"]}>
        <span role="status">{summaryOf(uploads)}</span>
        <RetryAll uploads={uploads} queue={queue} />
        <Button onClick={onClose} disabled={active > 0}>
          Done
        </Button>
      </div>
    </div>
  );
}

/** Of the files screen. Elsewhere, the address has none of them. */
const locationParams = ["fileset", "path", "file"];

const leaveQuestion = {
  title: "Stop the uploads?",
  text: "Files that aren't finished won't be uploaded.",
  confirmLabel: "Stop Uploads",
};

/** A queue that lives as long as the component, and starts with these files. */
function useQueue(create: () => UploadQueue, initialFiles: readonly ChosenFile[]): UploadQueue {
  const [queue] = useState(create);
  const first = useRef(initialFiles);
  useEffect(() => {
    if (first.current.length > 0) queue.add(first.current);
    first.current = [];
    return () => queue.close();
  }, [queue]);
  return queue;
}

function DropZone({ onFiles }: { onFiles: (files: readonly ChosenFile[]) => void }) {
  const { isOver, dropProps } = useFileDrop(onFiles);
  return (
    <div className={classes["drop"]} data-over={isOver || undefined} {...dropProps}>
      <IconUpload size={18} stroke={1.5} aria-hidden />
      <span>
        Drop files here, or <Chooser onFiles={onFiles}>choose files</Chooser> or{" "}
        <Chooser onFiles={onFiles} isFolder>
          a folder
        </Chooser>
      </span>
    </div>
  );
}

interface ChooserProps {
  isFolder?: boolean;
  onFiles: (files: readonly ChosenFile[]) => void;
  children: ReactNode;
}

function Chooser({ isFolder = false, onFiles, children }: ChooserProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (input.current) input.current.webkitdirectory = isFolder;
  }, [isFolder]);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        className="visually-hidden"
        tabIndex={-1}
        aria-label={isFolder ? "Folder to upload" : "Files to upload"}
        onChange={(event) => {
          onFiles(chosenFiles(event.currentTarget.files));
          // Reset the input, so the same files can be chosen again.
          event.currentTarget.value = "";
        }}
      />
      <button type="button" className={classes["choose"]} onClick={() => input.current?.click()}>
        {children}
      </button>
    </>
  );
}

interface QuestionProps {
  uploads: readonly Upload[];
  queue: UploadQueue;
  /** The question disappears with the focus. */
  onLastAnswer: () => void;
}

/** Asks about one file that exists after the other, or about all at once. */
function ExistingQuestion({ uploads, queue, onLastAnswer }: QuestionProps) {
  const [forAll, setForAll] = useState(false);
  const id = useId();
  const asking = useMemo(() => uploads.filter(({ state }) => state.phase === "asking"), [uploads]);
  const [first] = asking;
  if (first === undefined) return null;
  const answer = (replace: boolean) => {
    queue.answer(replace, forAll);
    setForAll(false);
    if (forAll || asking.length === 1) onLastAnswer();
  };
  return (
    <section className={classes["question"]} aria-labelledby={id}>
      <p id={id} role="alert">
        {`'${first.name}' exists already.`}
      </p>
      {uploads.length > 1 && (
        <Checkbox
          checked={forAll}
          onChange={(event) => setForAll(event.currentTarget.checked)}
          label={asking.length > 1 ? `For all ${formatCount(asking.length)} files that exist already` : "For all files that exist already"}
        />
      )}
      <Flex gap="sm" justify="flex-end" wrap="wrap">
        <Button variant="default" onClick={() => answer(false)}>
          Keep Existing
        </Button>
        <Button onClick={() => answer(true)}>Replace</Button>
      </Flex>
    </section>
  );
}

function RetryAll({ uploads, queue }: { uploads: readonly Upload[]; queue: UploadQueue }) {
  const failed = uploads.filter(({ state }) => state.phase === "failed" && state.canRetry);
  if (failed.length < 2) return null;
  return (
    <Button variant="default" onClick={() => failed.forEach(({ id }) => queue.retry(id))}>
      Retry Failed
    </Button>
  );
}

/** `1 of 4 files completed. Wait for 2 uploads to finish.` */
function summaryOf(uploads: readonly Upload[]): string {
  if (uploads.length === 0) return "";
  const count = (...phases: Upload["state"]["phase"][]) => uploads.filter(({ state }) => phases.includes(state.phase)).length;
  const parts = [`${formatCount(count("completed"))} of ${pluralize(uploads.length, "file")} completed.`];
  const failed = count("failed");
  const asking = count("asking");
  const running = count("preparing", "sending", "scanning");
  if (failed > 0) parts.push(`${formatCount(failed)} failed.`);
  if (running > 0) parts.push(`Wait for ${pluralize(running, "upload")} to finish.`);
  if (asking > 0) parts.push(`${formatCount(asking)} ${plural(asking, "exists", "exist")} already.`);
  return parts.join(" ");
}
