import { SegmentedControl } from "@mantine/core";
import { useId } from "react";
import classes from "./frame/map.module.css";

interface Props {
  showsRows: boolean;
  /** Why all rows cannot be shown; null if they can. */
  problem: string | null;
  onChange: (showsRows: boolean) => void;
}

/** Whether the map shows the newest row of each item or counts all rows. */
export function ModeSwitch({ showsRows, problem, onChange }: Props) {
  const id = useId();
  return (
    <div className={classes["mode"]}>
      <SegmentedControl
        aria-label="Show"
        aria-describedby={problem === null ? undefined : id}
        fullWidth
        data={[
          { value: "items", label: "Items" },
          { value: "rows", label: "All rows", disabled: problem !== null },
        ]}
        value={showsRows ? "rows" : "items"}
        onChange={(value) => onChange(value === "rows")}
      />
      {problem !== null && <small id={id}>{problem}</small>}
    </div>
  );
}
