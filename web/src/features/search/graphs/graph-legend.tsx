import type { GraphModel } from "#features/search/graphs/model/graph-model.ts";
import { measuredLabel } from "#features/search/graphs/model/graph-wording.ts";
import classes from "./graphs.module.css";

/** The columns by their colors; each can be put out. */
export function GraphLegend({
  model,
  hidden,
  onHidden,
}: {
  model: GraphModel;
  hidden: ReadonlySet<number>;
  onHidden: (hidden: ReadonlySet<number>) => void;
}) {
  const toggle = (place: number) => {
    const next = new Set(hidden);
    if (!next.delete(place)) next.add(place);
    onHidden(next);
  };
  return (
    <div className={classes["keys"]}>
      {model.columns.map(({ label, unit, color, column }, place) => (
        <button key={column.id} type="button" className={classes["key"]} aria-pressed={!hidden.has(place)} onClick={() => toggle(place)}>
          <i style={{ background: color }} />
          {measuredLabel({ label, unit })}
        </button>
      ))}
    </div>
  );
}
