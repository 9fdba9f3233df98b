import { isJsonObject } from "@fairway/contract/json";
import { importFileBytes } from "@fairway/contract/entities";

export type ImportFile = { entities: unknown[]; text: string } | { title: string; message: string };

/** Reads a file to import: a list of entities or an object with `entities`. */
export async function readImportFile(file: File): Promise<ImportFile> {
  if (file.size > importFileBytes) {
    return { title: "Large File", message: `The file "${file.name}" is too large, files must be under 2MB.` };
  }
  const text = await file.text();
  const entities = parseEntities(text);
  if (entities) return { entities, text };
  return {
    title: "Import Failed",
    message: `Ensure the file "${file.name}" is valid: JSON, a list of entities or an object with "entities".`,
  };
}

function parseEntities(text: string): unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const list: unknown = isJsonObject(value) ? value["entities"] : value;
    return Array.isArray(list) ? list : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
