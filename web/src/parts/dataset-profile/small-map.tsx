import { useEffect, useState } from "react";
import { logFailure } from "#lib/browser/log.ts";
import { landPath, loadLand } from "./land.ts";
import classes from "./dataset-profile.module.css";

/** Latitude and longitude, in degrees. */
export type Position = readonly [latitude: number, longitude: number];

/** Degrees of longitude that a map shows at least. */
const minSpan = 30;
/** Width by height. */
const ratio = 152 / 92;

const noLines: readonly (readonly Position[])[] = [];

interface Props {
  positions: readonly Position[];
  /** Drawn below the positions. */
  lines?: readonly (readonly Position[])[];
  /** Whether all of the data is in view, however wide the picture is; otherwise it fills its place and may cut some. */
  showsAll?: boolean;
}

/** Positions, and lines, on a map without names. */
export function SmallMap({ positions, lines = noLines, showsAll = false }: Props) {
  const [land, setLand] = useState<Awaited<ReturnType<typeof loadLand>>>([]);
  useEffect(() => {
    let isMounted = true;
    loadLand().then(
      (loaded) => isMounted && setLand(loaded),
      // The positions are shown without it.
      (error: unknown) => logFailure("The land of a small map could not be loaded", error),
    );
    return () => {
      isMounted = false;
    };
  }, []);
  const view = viewOf([...positions, ...lines.flat()]);
  // A wider place shows more of the world beside the view.
  const extent = showsAll ? { ...view, west: view.west - view.width, width: 3 * view.width } : view;
  return (
    <svg
      viewBox={`${view.west} ${-view.north} ${view.width} ${view.height}`}
      preserveAspectRatio={showsAll ? "xMidYMid meet" : "xMidYMid slice"}
      className={classes["map"]}
    >
      <path d={landPath(land, extent)} className={classes["land"]} />
      {lines.length > 0 && <path d={lines.map(linePath).join("")} className={classes["lines"]} />}
      <path d={positions.map(([lat, lng]) => `M${lng} ${-lat}h0`).join("")} className={classes["dots"]} />
    </svg>
  );
}

/** Across the antimeridian a line goes on at the other end of the map. */
const linePath = (line: readonly Position[]): string =>
  line
    .map(([lat, lng], index) => `${index === 0 || Math.abs(lng - (line[index - 1]?.[1] ?? lng)) > 180 ? "M" : "L"}${lng} ${-lat}`)
    .join("");

/** The extent around the positions, in the picture's proportions, in degrees. */
function viewOf(positions: readonly Position[]) {
  let [south, north, west, east] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const [lat, lng] of positions) {
    [south, north] = [Math.min(south, lat), Math.max(north, lat)];
    [west, east] = [Math.min(west, lng), Math.max(east, lng)];
  }
  const span = Math.min(360, Math.max(minSpan, (east - west) * 1.15, (north - south) * 1.15 * ratio));
  const [lng, lat] = [(west + east) / 2, (south + north) / 2];
  return { west: lng - span / 2, north: lat + span / ratio / 2, width: span, height: span / ratio };
}
