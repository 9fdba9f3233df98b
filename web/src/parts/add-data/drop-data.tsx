import { Button } from "@mantine/core";
import { type ReactNode, useEffect, useEffectEvent } from "react";
import { type ChosenFile, chosenFiles } from "#parts/file-upload/chosen-files.ts";
import { useFileDrop } from "#parts/file-upload/use-file-drop.ts";
import { IconAlertCircle } from "#ui/icons/alert-circle.ts";
import { type DataDoor, useDataDoor } from "./data-door.ts";
import { pastedTable } from "./pasted-table.ts";
import { type StartOptions, useStartImport } from "./start-import.ts";
import { clearRefusal, refuseStart, showsRefusals, useStartRefusal } from "./start-refusal.ts";
import classes from "./add-data.module.css";

/** A screen on which files can be dropped and tables pasted to make a dataset. */
export function DropData({ options, children }: { options?: StartOptions | undefined; children: ReactNode }) {
  const door = useDataDoor();
  const take = useTakeData(door, options);
  const { isOver, dropProps } = useFileDrop(take, { disabled: door.kind === "hidden" });
  usePaste(take, door.kind !== "hidden");
  return (
    <div className={classes["screen"]} {...dropProps}>
      <StartRefusal />
      {children}
      {isOver && <div className={classes["frame"]}>{door.kind === "open" ? "Drop to make a dataset" : reasonOf(door)}</div>}
    </div>
  );
}

/** Why the last import could not be started. */
function StartRefusal() {
  const reason = useStartRefusal((state) => state.reason);
  useEffect(showsRefusals, []);
  if (reason === null) return null;
  return (
    <div role="alert" className={classes["refusal"]}>
      <IconAlertCircle size={16} aria-hidden />
      <span>
        <b>No data could be added.</b> {reason}
      </span>
      <Button variant="subtle" size="compact-sm" onClick={clearRefusal}>
        Dismiss
      </Button>
    </div>
  );
}

const reasonOf = (door: DataDoor): string => ("reason" in door ? door.reason : "");

/** Starts an import, or says why it cannot be. */
function useTakeData(door: DataDoor, options: StartOptions | undefined): (files: readonly ChosenFile[]) => void {
  const { ofFiles } = useStartImport();
  return (files) => (door.kind === "open" ? ofFiles(files, options) : refuseStart(reasonOf(door)));
}

/** Takes files and tables that are pasted anywhere but into a field or a dialog. */
function usePaste(take: (files: readonly ChosenFile[]) => void, isEnabled: boolean): void {
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    const { target, clipboardData, defaultPrevented } = event;
    if (defaultPrevented || clipboardData === null || document.querySelector("[aria-modal='true']")) return;
    if (target instanceof Element && target.closest("input, textarea, select, [contenteditable]")) return;
    const table = pastedTable(clipboardData.getData("text/plain"));
    const files = clipboardData.files.length > 0 ? chosenFiles(clipboardData.files) : table ? [{ path: table.name, file: table }] : [];
    if (files.length === 0) return;
    event.preventDefault();
    take(files);
  });
  useEffect(() => {
    if (!isEnabled) return undefined;
    addEventListener("paste", onPaste);
    return () => removeEventListener("paste", onPaste);
  }, [isEnabled]);
}
