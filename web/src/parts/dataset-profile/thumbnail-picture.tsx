import type { DatasetThumbnail } from "@fairway/contract/dataset-profiles";
import { IconDatabase } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { logFailure } from "#lib/log.ts";
import { coverageBars } from "./coverage-buckets.ts";
import { landPath, loadLand } from "./land.ts";
import classes from "./thumbnail-picture.module.css";

const [width, height] = [152, 92];
const margin = 12;
/** More bars are drawn as a line. */
const maxBars = 60;
/** Degrees of longitude that a map shows at least. */
const minSpan = 30;

/** A map if there are positions, otherwise the coverage if there is one. */
export function ThumbnailPicture({ thumbnail: { positions, coverage } }: { thumbnail: DatasetThumbnail }) {
  if (positions.length > 0) return <PositionsMap positions={positions} />;
  const rows = coverage === null ? [] : coverageBars(coverage).map((bar) => bar.rows);
  if (rows.length < 2) return <IconDatabase size={24} stroke={1.25} className={classes["none"]} />;
  const maxRows = Math.max(...rows, 1);
  const step = (width - 2 * margin) / rows.length;
  const y = (count: number) => height - margin - (count / maxRows) * (height - 2 * margin);
  const points = rows.map((count, index) => `${(margin + (index + 0.5) * step).toFixed(1)},${y(count).toFixed(1)}`);
  return (
    <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" className={classes["chart"]}>
      {rows.length > maxBars ? (
        <polyline points={points.join(" ")} />
      ) : (
        rows.map((count, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- bars never move
          <rect key={index} x={margin + index * step} y={y(count)} width={step * 0.75} height={height - margin - y(count)} />
        ))
      )}
      <line x1={margin} x2={width - margin} y1={height - margin} y2={height - margin} />
    </svg>
  );
}

function PositionsMap({ positions }: { positions: DatasetThumbnail["positions"] }) {
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
  const view = viewOf(positions);
  const dots = positions.map(([lat, lng]) => `M${lng} ${-lat}h0`).join("");
  return (
    <svg
      viewBox={`${view.west} ${-view.north} ${view.width} ${view.height}`}
      preserveAspectRatio="xMidYMid slice"
      className={classes["map"]}
    >
      <path d={landPath(land, view)} className={classes["land"]} />
      <path d={dots} className={classes["dots"]} />
    </svg>
  );
}

/** The area around the positions, in the picture's proportions, in degrees. */
function viewOf(positions: DatasetThumbnail["positions"]) {
  const lats = positions.map(([lat]) => lat);
  const lngs = positions.map(([, lng]) => lng);
  const [south, north, west, east] = [Math.min(...lats), Math.max(...lats), Math.min(...lngs), Math.max(...lngs)];
  const ratio = width / height;
  const span = Math.min(360, Math.max(minSpan, (east - west) * 1.15, (north - south) * 1.15 * ratio));
  const [lng, lat] = [(west + east) / 2, (south + north) / 2];
  return { west: lng - span / 2, north: lat + span / ratio / 2, width: span, height: span / ratio };
}
