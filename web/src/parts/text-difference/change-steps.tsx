import { IconChevronDown } from "#ui/icons/chevron-down.ts";
import { IconChevronUp } from "#ui/icons/chevron-up.ts";
import { IconButton } from "#ui/icon-button.tsx";
import classes from "./text-difference.module.css";

interface ChangeStepsProps {
  /** Index of the change that was shown last; -1 for none. */
  current: number;
  count: number;
  onStep: (by: 1 | -1) => void;
}

/** Buttons to the previous and the next change. */
export function ChangeSteps({ current, count, onStep }: ChangeStepsProps) {
  const total = count.toLocaleString("en-US");
  return (
    <>
      <span className={classes["counts"]} role="status">
        {current < 0 || current >= count
          ? count === 1
            ? "1 change"
            : `${total} changes`
          : `change ${(current + 1).toLocaleString("en-US")} of ${total}`}
      </span>
      <IconButton label="Previous change" onClick={() => onStep(-1)}>
        <IconChevronUp size={16} aria-hidden />
      </IconButton>
      <IconButton label="Next change" onClick={() => onStep(1)}>
        <IconChevronDown size={16} aria-hidden />
      </IconButton>
    </>
  );
}
