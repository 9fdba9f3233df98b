import { pluralize } from "@fairway/contract/counts";
import { Button, Group, SegmentedControl } from "@mantine/core";
import { IconFileUpload } from "#ui/icons/file-upload.ts";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { confirm } from "#ui/dialog/confirm.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { QueryState } from "#ui/kit/query-state.tsx";
import { toastSuccess } from "#ui/toast/toast.ts";
import { entitiesQuery, importEntities, previewImport } from "../entities/entity-calls.ts";
import type { EntityDialogProps } from "../entities/entity-dialog.ts";
import { exportEntities } from "../entities/entity-export.ts";
import { readImportFile } from "./import-file.ts";
import { ImportPreviewList } from "./import-preview.tsx";
import { SaveFailure } from "../editor/save-failure.tsx";
import editor from "../editor/editor.module.css";
import classes from "./import-dialog.module.css";

const maxPreviewCharacters = 20_000;

/** Imports entities from a file after showing its content and the changes it would make. */
export default function ImportDialog({ kind, opened, onClose }: EntityDialogProps<{ kind: "import" }>) {
  const [file, setFile] = useState<{ name: string; entities: unknown[]; text: string } | null>(null);
  const [failure, setFailure] = useState<{ title: string; messages: readonly string[] } | null>(null);
  const [mode, setMode] = useState<"replace" | "merge">("merge");
  const [running, setRunning] = useState<"replace" | "merge" | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const { data: list } = useQuery(entitiesQuery(kind));
  const preview = useQuery({
    queryKey: ["admin", kind.type, "preview", mode, file],
    queryFn: ({ signal }) => previewImport(kind, file?.entities ?? [], mode === "replace", signal),
    enabled: file !== null,
    gcTime: 0,
    staleTime: 0,
    refetchOnWindowFocus: false,
  });

  // Nothing of a file with a problem in an entity can be imported; others are of the previewed way only.
  const refused = preview.data?.refused ?? [];
  const isRefused = (way: "replace" | "merge") => refused.some(({ index }) => way === mode || index !== null);

  const choose = async (chosen: File | undefined) => {
    if (!chosen) return;
    setFile(null);
    setFailure(null);
    const result = await readImportFile(chosen);
    if ("entities" in result) setFile({ name: chosen.name, ...result });
    else setFailure({ title: result.title, messages: [result.message] });
  };
  const run = async (isReplace: boolean) => {
    if (!file) return;
    const confirmed =
      !isReplace ||
      (await confirm({
        title: "Import and Replace?",
        text: "This will replace all existing entities with the new data. This action cannot be undone.",
        confirmLabel: "Replace",
        destructive: true,
      }));
    if (!confirmed) return;
    setRunning(isReplace ? "replace" : "merge");
    setFailure(null);
    try {
      await importEntities(kind, file.entities, isReplace);
      toastSuccess(`${pluralize(file.entities.length, "entity", "entities")} imported`, 2000);
      onClose();
    } catch (error) {
      setFailure({ title: "Import Failed", messages: messagesOf(error) });
    }
    setRunning(null);
  };

  return (
    <Dialog opened={opened} onClose={onClose} title={`Import ${kind.plural}`} size={760} fillsPhone closeOnClickOutside={false}>
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        aria-label="File to import"
        className="visually-hidden"
        tabIndex={-1}
        onChange={(event) => {
          void choose(event.currentTarget.files?.[0]);
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
          void choose(event.dataTransfer.files[0]);
        }}
      >
        <IconFileUpload size={20} aria-hidden />
        {file
          ? `${file.name} · ${pluralize(file.entities.length, "entity", "entities")}. Choose a different file`
          : "Drop a JSON file here, or choose one"}
      </button>
      {file && (
        <>
          <details className={classes["file"]}>
            <summary>Show the file</summary>
            {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, also by keyboard */}
            <pre tabIndex={0} role="region" aria-label="File">
              {file.text.slice(0, maxPreviewCharacters)}
              {file.text.length > maxPreviewCharacters && "\n…"}
            </pre>
          </details>
          <Group gap="sm" justify="space-between" my="md" fw="var(--weight-label)">
            <span>What would change</span>
            <SegmentedControl
              aria-label="What would change"
              value={mode}
              onChange={(next) => setMode(next === "replace" ? "replace" : "merge")}
              data={[
                { value: "merge", label: "By merging" },
                { value: "replace", label: "By replacing" },
              ]}
            />
          </Group>
          <QueryState query={preview} loading={{ label: "Comparing", rows: 4 }} failed="The preview could not be created.">
            {(previewed) => <ImportPreviewList preview={previewed} />}
          </QueryState>
        </>
      )}
      <SaveFailure failure={failure} />
      <div className={editor["footer"]}>
        <Button variant="subtle" disabled={list === undefined || list.length === 0} onClick={() => void exportEntities(kind, list ?? [])}>
          Save a backup first
        </Button>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          variant="default"
          disabled={!file || running === "merge" || isRefused("replace")}
          loading={running === "replace"}
          onClick={() => void run(true)}
        >
          Import and Replace
        </Button>
        <Button
          disabled={!file || running === "replace" || isRefused("merge")}
          loading={running === "merge"}
          onClick={() => void run(false)}
        >
          Import and Merge
        </Button>
      </div>
    </Dialog>
  );
}
