import { LoadingRows } from "#ui/states.tsx";
import { decodeText } from "./decode-text.ts";
import { isTooDeep } from "./json-depth.ts";
import { loadBytes } from "./load-file.ts";
import { partNote } from "./part-note.ts";
import { type PreviewFile, textLimitBytes, type ViewProps } from "./preview-type.ts";
import { TextView } from "./text-view.tsx";
import { useFile } from "./use-file.ts";

/** A JSON file, pretty-printed; the beginning of a large one, and one of too many levels, as it is written. */
export function JsonView(props: ViewProps) {
  const shown = useFile(props, loadJson);
  return shown === null ? <LoadingRows label="Loading preview" /> : <TextView text={shown.text} note={shown.note} />;
}

const maxLevels = 200;

async function loadJson(file: PreviewFile, signal: AbortSignal): Promise<{ text: string; note: string | undefined }> {
  const text = decodeText(await loadBytes(file, signal, { end: Math.min(file.size, textLimitBytes) }));
  if (file.size > textLimitBytes) return { text, note: partNote(file) };
  if (isTooDeep(text, maxLevels)) return { text, note: `Shown as written: nested more than ${maxLevels} levels deep.` };
  return { text: JSON.stringify(JSON.parse(text), null, 2), note: undefined };
}
