import { type DragEvent, useEffect, useState } from "react";
import { logFailure } from "#lib/browser/log.ts";
import { type ChosenFile, droppedFiles } from "./chosen-files.ts";

interface FileDrop {
  /** Files are dragged over the element. */
  isOver: boolean;
  /** Props of the element that takes the files. */
  dropProps: {
    onDragEnter: (event: DragEvent) => void;
    onDragOver: (event: DragEvent) => void;
    onDragLeave: (event: DragEvent) => void;
    onDrop: (event: DragEvent) => void;
  };
}

/**
 * Lets users drop files and folders on an element. Elsewhere on the page, dropped files are ignored: the browser would leave the
 * page and open them.
 */
export function useFileDrop(onFiles: (files: ChosenFile[]) => void, { disabled = false }: { disabled?: boolean } = {}): FileDrop {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    addEventListener("dragover", ignoreFiles);
    addEventListener("drop", ignoreFiles);
    return () => {
      removeEventListener("dragover", ignoreFiles);
      removeEventListener("drop", ignoreFiles);
    };
  }, []);
  const take = (event: DragEvent): boolean => {
    if (disabled || !hasFiles(event.dataTransfer)) return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  };
  return {
    isOver: isOver && !disabled,
    dropProps: {
      onDragEnter: (event) => {
        if (take(event)) setOver(true);
      },
      onDragOver: (event) => {
        if (!take(event)) return;
        event.dataTransfer.dropEffect = "copy";
        setOver(true);
      },
      onDragLeave: (event) => {
        // Leaving a child for another one is not leaving the element.
        if (!(event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget))) setOver(false);
      },
      onDrop: (event) => {
        setOver(false);
        if (!take(event)) return;
        droppedFiles(event.dataTransfer).then(onFiles, (error: unknown) => logFailure("The dropped files could not be read", error));
      },
    },
  };
}

const hasFiles = (transfer: DataTransfer | null): boolean => transfer?.types.includes("Files") ?? false;

function ignoreFiles(event: globalThis.DragEvent): void {
  // Handlers of an element stop the event; React's run at the root, before the window's.
  if (event.defaultPrevented || !hasFiles(event.dataTransfer)) return;
  event.preventDefault();
  if (event.dataTransfer) event.dataTransfer.dropEffect = "none";
}
