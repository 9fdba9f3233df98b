import { type BreakdownGrouping, breakdownLimits } from "@fairway/contract/breakdowns";
import { Checkbox, NativeSelect, NumberInput } from "@mantine/core";
import { IconButton } from "#ui/icon-button.tsx";
import { IconX } from "#ui/icons/x.ts";
import { groupingLabel } from "./model/grouping-choices.ts";
import { measureLabel } from "./model/measure-wording.ts";
import { type Asked, measureId } from "./model/summary.ts";
import classes from "./summaries.module.css";

type ValueGrouping = Extract<BreakdownGrouping, { kind: "value" }>;

interface Props<Grouping> {
  grouping: Grouping;
  asked: Asked;
  onChange: (grouping: ValueGrouping) => void;
}

/** A grouping, and which values of its column are groups. */
export function GroupingFields({ grouping, asked, onChange, onRemove }: Props<BreakdownGrouping> & { onRemove: () => void }) {
  const label = groupingLabel(grouping);
  return (
    <div role="group" aria-label={label} className={classes["grouping"]}>
      <div className={classes["row"]}>
        <span>{label}</span>
        <IconButton label={`Remove grouping ${label}`} onClick={onRemove}>
          <IconX size={16} aria-hidden />
        </IconButton>
      </div>
      {grouping.kind === "value" && <ValueFields grouping={grouping} asked={asked} onChange={onChange} />}
    </div>
  );
}

function ValueFields({ grouping, asked, onChange }: Props<ValueGrouping>) {
  const { top = { count: 20 }, empty } = grouping;
  const [first] = asked.measures;
  const by = top.by ?? (first ? measureId(first) : "");
  const setTop = (changes: Partial<typeof top>) => onChange({ ...grouping, top: { ...top, ...changes } });
  return (
    <>
      <div className={classes["top"]}>
        <NativeSelect
          aria-label="Which groups"
          value={top.direction ?? "desc"}
          onChange={(event) => setTop({ direction: event.currentTarget.value === "asc" ? "asc" : "desc" })}
          data={[
            { value: "desc", label: "Top" },
            { value: "asc", label: "Lowest" },
          ]}
        />
        <NumberInput
          aria-label="Number of groups"
          hideControls
          allowDecimal={false}
          allowNegative={false}
          clampBehavior="strict"
          max={breakdownLimits.topCount}
          value={top.count}
          onChange={(value) => {
            if (typeof value === "number" && value >= 1) setTop({ count: value });
          }}
        />
        <NativeSelect
          aria-label="Ranked by"
          value={by}
          onChange={(event) => setTop({ by: event.currentTarget.value })}
          data={asked.measures.map((measure) => ({ value: measureId(measure), label: `by ${measureLabel(measure)}` }))}
        />
      </div>
      <div className={classes["row"]}>
        <Checkbox label="Other" checked={top.other === true} onChange={(event) => setTop({ other: event.currentTarget.checked })} />
        <Checkbox
          label="Empty"
          checked={empty !== "hide"}
          onChange={(event) => onChange({ ...grouping, empty: event.currentTarget.checked ? "show" : "hide" })}
        />
      </div>
    </>
  );
}
