import { type ChosenFile, chosenFiles } from "#parts/file-upload/chosen-files.ts";
import { acceptedFiles } from "./accepted-files.ts";

/** Asks for files of this device, where a menu is gone before they are chosen. Must be called by a press of the user. */
export function chooseFiles(onFiles: (files: readonly ChosenFile[]) => void): void {
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = true;
  input.accept = acceptedFiles;
  input.addEventListener("change", () => {
    const files = chosenFiles(input.files);
    if (files.length > 0) onFiles(files);
  });
  input.click();
}
