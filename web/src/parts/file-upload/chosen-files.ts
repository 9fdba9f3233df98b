/** A file that a user chose or dropped. */
export interface ChosenFile {
  /** Name with the folders that were chosen with it, joined by slashes. */
  readonly path: string;
  /** A text is the reason why it cannot be read. */
  readonly file: File | string;
}

export const chosenFiles = (list: FileList | null): ChosenFile[] =>
  Array.from(list ?? [], (file) => ({ path: file.webkitRelativePath === "" ? file.name : file.webkitRelativePath, file }));

/** The dropped files, and those in dropped folders. Call it in the event handler: the browser forgets them after it. */
export async function droppedFiles({ items }: DataTransfer): Promise<ChosenFile[]> {
  const dropped = Array.from(items, (item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const found: ChosenFile[] = [];
  for (const { entry, file } of dropped) {
    if (entry !== null) await addEntry(entry, found);
    else if (file !== null) found.push({ path: file.name, file });
  }
  return found;
}

async function addEntry(entry: FileSystemEntry, found: ChosenFile[]): Promise<void> {
  const path = entry.fullPath.replace(/^\//, "");
  try {
    if (isFile(entry)) {
      found.push({ path, file: await new Promise<File>((resolve, reject) => entry.file(resolve, reject)) });
    } else if (isFolder(entry)) {
      for (const child of await entriesOf(entry)) await addEntry(child, found);
    }
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    found.push({ path, file: `The browser cannot read it: ${error.message}` });
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const entries: FileSystemEntry[] = [];
  for (;;) {
    // Answers at most 100 at a time, and none at the end.
    const more = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (more.length === 0) return entries;
    entries.push(...more);
  }
}
