import { pluralize } from "@fairway/contract/counts";
import { Button } from "@mantine/core";
import classes from "./compare.module.css";

interface Props {
  count: number;
  onCompare: () => void;
  onClear: () => void;
}

/** Actions on the selected rows. */
export function CompareBar({ count, onCompare, onClear }: Props) {
  return (
    <div className={classes["bar"]} role="group" aria-label="Selected rows">
      <span>{pluralize(count, "row")} selected</span>
      <Button size="xs" disabled={count < 2} onClick={onCompare}>
        Compare
      </Button>
      <Button size="xs" variant="default" onClick={onClear}>
        Clear
      </Button>
    </div>
  );
}
