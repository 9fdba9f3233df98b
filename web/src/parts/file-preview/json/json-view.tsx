import { useMemo } from "react";
import { parseExactly } from "#lib/text/exact-json.ts";
import { type Container, isContainer } from "#parts/raw-json/json-lines.ts";
import { createRawModel, type RawSource } from "#parts/raw-json/raw-model.ts";
import { RawJson } from "#parts/raw-json/raw-json.tsx";
import { LoadingRows } from "#ui/states.tsx";
import { decodeText } from "../text/decode-text.ts";
import { isTooDeep } from "./json-depth.ts";
import { loadBytes } from "../load-file.ts";
import { partNote } from "../part-note.ts";
import { type PreviewFile, textLimitBytes, type ViewProps } from "../preview-type.ts";
import { TextView } from "../text/text-view.tsx";
import { useFile } from "../use-file.ts";
import { useFind } from "#lib/text/use-find.ts";
import { ViewFrame } from "../view-frame.tsx";

/** A JSON file that folds; the beginning of a large one, and one of too many lines or levels, as it is written. */
export function JsonView(props: ViewProps) {
  const shown = useFile(props, loadJson);
  if (shown === null) return <LoadingRows label="Loading preview" />;
  return "text" in shown ? <TextView text={shown.text} note={shown.note} /> : <FoldingJson root={shown.root} />;
}

function FoldingJson({ root }: { root: Container }) {
  const find = useFind();
  const { rows, names } = useMemo(() => sourceOf(root), [root]);
  const count = rows.length.toLocaleString("en-US");
  const noun = names ? (rows.length === 1 ? "entry" : "entries") : rows.length === 1 ? "item" : "items";
  return (
    <ViewFrame summary={`${count} ${noun}`} find={find}>
      <RawJson label="JSON" rows={rows} names={names} find={find.pattern} currentMatch={find.current} onFound={find.onFound} />
    </ViewFrame>
  );
}

function sourceOf(root: Container): RawSource {
  if (Array.isArray(root)) return { rows: root };
  return { rows: Object.values(root), names: Object.keys(root) };
}

const maxLevels = 200;
/** Browsers limit the height of an element to some 17 million pixels. */
const maxLines = 700_000;

async function loadJson(
  file: PreviewFile,
  signal: AbortSignal,
): Promise<{ text: string; note?: string | undefined } | { root: Container }> {
  const text = decodeText(await loadBytes(file, signal, { end: Math.min(file.size, textLimitBytes) }));
  if (file.size > textLimitBytes) return { text, note: partNote(file) };
  if (isTooDeep(text, maxLevels)) return { text, note: `Shown as written: nested more than ${maxLevels} levels deep.` };
  const root = parseExactly(text);
  if (!isContainer(root)) return { text: text.trim() };
  if (createRawModel(sourceOf(root), new Map()).totalLines > maxLines) {
    return { text, note: `Shown as written: it would take more than ${maxLines.toLocaleString("en-US")} lines.` };
  }
  return { root: root };
}
