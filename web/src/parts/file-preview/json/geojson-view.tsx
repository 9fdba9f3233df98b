import { pluralize } from "@fairway/contract/counts";
import { SegmentedControl, useComputedColorScheme } from "@mantine/core";
import { useMemo, useState } from "react";
import { LoadingRows } from "#ui/states.tsx";
import { decodeText } from "../text/decode-text.ts";
import { type GeoData, geoDataOf } from "./geojson-features.ts";
import { FeatureMap } from "./geojson-map.tsx";
import { isTooDeep } from "./json-depth.ts";
import { loadBytes } from "../load-file.ts";
import { partNote } from "../part-note.ts";
import { type PreviewFile, textLimitBytes, type ViewProps } from "../preview-type.ts";
import type { TableData } from "../table-data.ts";
import { TableView } from "../table-view.tsx";
import { TextView } from "../text/text-view.tsx";
import { useFile } from "../use-file.ts";
import { ViewFrame } from "../view-frame.tsx";
import classes from "./geojson-view.module.css";

/** A GeoJSON file on the map, with its properties as a table; the beginning of a large one as text. */
export function GeoJsonView(props: ViewProps) {
  const loaded = useFile(props, loadGeoJson);
  if (loaded === null) return <LoadingRows label="Loading preview" />;
  return loaded.data ? <Switched data={loaded.data} text={loaded.text} /> : <TextView text={loaded.text} note={loaded.note} />;
}

interface Loaded {
  text: string;
  data?: GeoData;
  note?: string | undefined;
}

const maxLevels = 200;

async function loadGeoJson(file: PreviewFile, signal: AbortSignal): Promise<Loaded> {
  const text = decodeText(await loadBytes(file, signal, { end: Math.min(file.size, textLimitBytes) }));
  if (file.size > textLimitBytes) return { text, note: partNote(file) };
  if (isTooDeep(text, maxLevels)) return { text, note: `Shown as written: nested more than ${maxLevels} levels deep.` };
  return { text, data: geoDataOf(JSON.parse(text)) };
}

type Mode = "map" | "table" | "text";

const modes: readonly { value: Mode; label: string }[] = [
  { value: "map", label: "Map" },
  { value: "table", label: "Table" },
  { value: "text", label: "Text" },
];

function Switched({ data, text }: { data: GeoData; text: string }) {
  const [mode, setMode] = useState<Mode>(data.drawn.length > 0 ? "map" : "table");
  const [selected, setSelected] = useState<number | null>(null);
  const scheme = useComputedColorScheme("light");
  const table = useMemo(() => tableOf(data), [data]);
  const { features, drawn, names } = data;
  const placed = useMemo(() => new Set(drawn.map(({ properties }) => properties.index)).size, [drawn]);
  const summary = pluralize(features.length, "feature");
  const left = features.length - placed;
  const note = left > 0 ? `${pluralize(left, "feature")} without a place on the map.` : undefined;
  return (
    <>
      <div className={classes["modes"]}>
        <SegmentedControl aria-label="View" size="xs" value={mode} onChange={setMode} data={[...modes]} />
      </div>
      {mode === "map" && (
        <ViewFrame summary={summary} note={note}>
          <FeatureMap key={scheme} data={data} selected={selected} onSelect={setSelected} />
        </ViewFrame>
      )}
      {mode === "table" && (
        <TableView table={table} summary={`${summary}, ${pluralize(names.length, "property", "properties")}`} note={note} />
      )}
      {mode === "text" && <TextView text={text} />}
    </>
  );
}

function tableOf({ features, names }: GeoData): TableData {
  const columns = names.map((name) => {
    const filled = features.slice(0, 100).flatMap(({ properties }) => (properties[name] ? [properties[name]] : []));
    return { name, isNumeric: filled.length > 0 && filled.every((text) => !Number.isNaN(Number(text))) };
  });
  return { columns, rows: features.map(({ properties }) => names.map((name) => properties[name] ?? "")) };
}
