import { Button } from "@mantine/core";
import classes from "./ui.module.css";

export interface RemovableChip {
  readonly key: string;
  readonly text: string;
  /** Undefined if it cannot be removed here. */
  readonly onRemove?: (() => void) | undefined;
}

/** The filters of an empty list, each with its way out. */
export function RemovableChips({ label, chips }: { label: string; chips: readonly RemovableChip[] }) {
  return (
    <ul aria-label={label} className={classes["chips"]}>
      {chips.map(({ key, text, onRemove }) => (
        <li key={key}>
          <span title={text}>{text}</span>
          {onRemove && (
            <Button variant="subtle" size="compact-xs" aria-label={`Remove ${text}`} onClick={onRemove}>
              Remove
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
