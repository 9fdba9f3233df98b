import classes from "./dataset-profile.module.css";

const [width, height] = [152, 92];
const margin = 12;

/** Numbers of rows, one after the other, as bars or as a line. At least one. */
export function RowsChart({ rows, isLine }: { rows: readonly number[]; isLine: boolean }) {
  const maxRows = Math.max(...rows, 1);
  const step = (width - 2 * margin) / rows.length;
  const y = (count: number) => height - margin - (count / maxRows) * (height - 2 * margin);
  const points = rows.map((count, index) => `${(margin + (index + 0.5) * step).toFixed(1)},${y(count).toFixed(1)}`);
  return (
    <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" className={classes["chart"]}>
      {isLine ? (
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
