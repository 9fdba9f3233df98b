import { plural } from "@fairway/contract/counts";
import type { EntityWarning } from "@fairway/contract/entity-warning";
import { IconAlertTriangle } from "#ui/icons/alert-triangle.ts";
import { Hint } from "#ui/hint.tsx";
import { warningsLine } from "./entity-warnings.tsx";
import classes from "./entities.module.css";

interface EntityRowWarningsProps {
  name: string;
  warnings: readonly EntityWarning[];
  tabIndex: number;
  onOpen: () => void;
}

/** An icon for a row with warnings, with a summary in its tooltip; the editor shows all of them. */
export function EntityRowWarnings({ name, warnings, tabIndex, onOpen }: EntityRowWarningsProps) {
  const count = `${warnings.length} ${plural(warnings.length, "warning")}`;
  return (
    <Hint label={warningsLine(warnings)} describes>
      <button
        type="button"
        tabIndex={tabIndex}
        className={`${classes["dots"]} ${classes["warned"]}`}
        aria-label={`${count}: ${name}`}
        onClick={onOpen}
      >
        <IconAlertTriangle size={16} aria-hidden />
      </button>
    </Hint>
  );
}
