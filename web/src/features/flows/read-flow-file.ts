import { flowContentBytes } from "@fairway/contract/flows";

/** A file with the content of a flow. */
export interface FlowFile {
  name: string;
  content: string;
  /** Of the content in UTF-8. */
  bytes: number;
}

/** Why a file cannot be used: a title, and a sentence if there is more to say. */
export interface FlowFileProblem {
  title: string;
  detail?: string;
}

const endings = ["xml", "json", "yaml", "yml"] as const;

/** For the `accept` of a file input. */
export const flowFileEndings = endings.map((ending) => `.${ending}`).join(",");

/** Reads a file with the content of a flow. What the text means is checked by the gateway. */
export async function readFlowFile(file: File): Promise<FlowFile | FlowFileProblem> {
  const { name } = file;
  if (!endings.some((ending) => name.toLowerCase().endsWith(`.${ending}`)))
    return { title: `The file "${name}" is not an XML, JSON or YAML file.` };
  if (file.size > flowContentBytes) return { title: `The file "${name}" is too large, files must be under 5MB.` };
  let buffer: ArrayBuffer;
  try {
    buffer = await file.arrayBuffer();
  } catch (error) {
    // The file was removed or changed after it was chosen, or may not be read.
    if (error instanceof DOMException) return { title: readFailed, detail: `The file "${name}" cannot be opened. Choose it again.` };
    throw error;
  }
  const content = textOf(buffer);
  if (content === undefined) return { title: readFailed, detail: `The file "${name}" is not UTF-8 text.` };
  if (content.trim() === "") return { title: `The file "${name}" is empty.` };
  return { name, content, bytes: new TextEncoder().encode(content).length };
}

const readFailed = "Failed to Read File";

/** Without a byte order mark. Undefined if it is no text. */
function textOf(buffer: ArrayBuffer): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(buffer);
    return text.includes("\0") ? undefined : text;
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
