import type { ExpressionSpecification, Map as MapLibreMap, MapMouseEvent } from "maplibre-gl";
import { IconX } from "#ui/icons/x.ts";
import { useEffect, useRef, useState } from "react";
import { logFailure } from "#lib/browser/log.ts";
import { IconButton } from "#ui/icon-button.tsx";
import { openMap, recolorMap } from "#parts/area/basemap.ts";
import { MapLoading } from "#parts/area/map-loading.tsx";
import type { GeoData } from "./geojson-features.ts";
import classes from "./geojson-view.module.css";

interface Hovered {
  readonly index: number;
  /** Position of the mouse. */
  readonly at: { readonly x: number; readonly y: number };
}

interface FeatureMapProps {
  data: GeoData;
  /** Index of the feature that was clicked. */
  selected: number | null;
  onSelect: (index: number | null) => void;
}

const layers = ["file-polygons", "file-lines", "file-points"];
/** Finding what is below the mouse would take too long for every move of it. */
const maxHoverFeatures = 20_000;
const maxTooltipLines = 6;
const wholeWorld = [-150, -55, 150, 70] as const;

/** The features of a file on the map: a tooltip on hover, everything known about one on click. Its colors are those of the theme that it opens in. */
export function FeatureMap({ data, selected, onSelect }: FeatureMapProps) {
  const container = useRef<HTMLDivElement>(null);
  const [hovered, setHovered] = useState<Hovered | null>(null);
  const [map, setMap] = useState<MapLibreMap | null>(null);
  const [hasFailed, setHasFailed] = useState(false);
  useEffect(() => {
    const element = container.current;
    if (!element) return undefined;
    let isOpen = true;
    let close = () => {};
    const [west, south, east, north] = data.bounds ?? wholeWorld;
    openMap(element, [west, south, east, north], 10).then(
      (opened) => {
        close = () => opened.remove();
        if (!isOpen) return close();
        draw(opened, data);
        opened.on("click", (event) => onSelect(featureAt(opened, event)?.index ?? null));
        if (data.drawn.length <= maxHoverFeatures) {
          opened.on("mousemove", (event) => setHovered(featureAt(opened, event)));
          opened.on("mouseout", () => setHovered(null));
        }
        setMap(opened);
      },
      (error: unknown) => {
        logFailure("The map cannot be shown", error);
        if (isOpen) setHasFailed(true);
      },
    );
    return () => {
      isOpen = false;
      setMap(null);
      close();
    };
  }, [data, onSelect]);
  useEffect(() => {
    if (map) recolor(map, selected);
  }, [map, selected]);
  if (hasFailed) return <p className={classes["failed"]}>The map cannot be shown. The table and the text show the same features.</p>;
  return (
    <div className={classes["stage"]}>
      <div ref={container} className={classes["map"]} role="region" aria-label="Features on the map" data-ready={map !== null} />
      {map === null && <MapLoading />}
      {hovered && hovered.index !== selected && <FeatureTooltip data={data} index={hovered.index} at={hovered.at} />}
      {selected !== null && <FeatureCard data={data} index={selected} onClose={() => onSelect(null)} />}
    </div>
  );
}

function FeatureTooltip({ data, index, at: { x, y } }: { data: GeoData; index: number; at: { x: number; y: number } }) {
  const feature = data.features[index];
  if (!feature) return null;
  const lines = Object.entries(feature.properties).slice(0, maxTooltipLines);
  return (
    <div role="tooltip" className={classes["tooltip"]} style={{ left: x, top: y }}>
      <strong>{feature.title}</strong>
      {lines.map(([name, text]) => (
        <span key={name}>{`${name}: ${text}`}</span>
      ))}
    </div>
  );
}

function FeatureCard({ data, index, onClose }: { data: GeoData; index: number; onClose: () => void }) {
  const feature = data.features[index];
  if (!feature) return null;
  return (
    <section className={classes["card"]} aria-label={feature.title}>
      <header>
        <strong>{feature.title}</strong>
        <IconButton label="Close feature" onClick={onClose}>
          <IconX size={16} aria-hidden />
        </IconButton>
      </header>
      <dl>
        {Object.entries(feature.properties).map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function draw(map: MapLibreMap, { drawn }: GeoData): void {
  map.addSource("file", { type: "geojson", data: { type: "FeatureCollection", features: [...drawn] } });
  map.addLayer({
    id: "file-polygons",
    type: "fill",
    source: "file",
    filter: ["==", ["geometry-type"], "Polygon"],
    paint: { "fill-opacity": 0.2 },
  });
  map.addLayer({
    id: "file-lines",
    type: "line",
    source: "file",
    filter: ["!=", ["geometry-type"], "Point"],
    layout: { "line-join": "round", "line-cap": "round" },
  });
  map.addLayer({ id: "file-points", type: "circle", source: "file", filter: ["==", ["geometry-type"], "Point"] });
}

/** Applies the colors of the page's theme and of the selection. */
function recolor(map: MapLibreMap, selected: number | null): void {
  recolorMap(map);
  const styles = getComputedStyle(document.documentElement);
  const [color, ring] = ["--path", "--land"].map((name) => styles.getPropertyValue(name).trim());
  const bySelection = (yes: number, no: number): ExpressionSpecification => ["case", ["==", ["get", "index"], selected ?? -1], yes, no];
  map.setPaintProperty("file-polygons", "fill-color", color);
  map.setPaintProperty("file-polygons", "fill-opacity", bySelection(0.45, 0.2));
  map.setPaintProperty("file-lines", "line-color", color);
  map.setPaintProperty("file-lines", "line-width", bySelection(4, 2));
  map.setPaintProperty("file-points", "circle-color", color);
  map.setPaintProperty("file-points", "circle-radius", bySelection(8, 5));
  map.setPaintProperty("file-points", "circle-stroke-color", ring);
  map.setPaintProperty("file-points", "circle-stroke-width", 1);
}

/** The topmost feature near the mouse. */
function featureAt(map: MapLibreMap, { point: { x, y } }: MapMouseEvent): Hovered | null {
  const [found] = map.queryRenderedFeatures(
    [
      [x - 4, y - 4],
      [x + 4, y + 4],
    ],
    { layers },
  );
  const index: unknown = found?.properties["index"];
  return typeof index === "number" ? { index, at: { x, y } } : null;
}
