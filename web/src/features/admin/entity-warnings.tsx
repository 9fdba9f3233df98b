import type { EntityWarning } from "@fairway/contract/entities";
import { IconAlertTriangle } from "@tabler/icons-react";
import classes from "./entity-warnings.module.css";

/** Why an entity does not work as it stands. In nobody's way: it is stored all the same. */
export function EntityWarnings({ warnings }: { warnings: readonly EntityWarning[] | undefined }) {
  if (warnings === undefined || warnings.length === 0) return null;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, also by keyboard
    <div role="note" aria-label="Does not work yet" className={classes["warnings"]} tabIndex={0}>
      <strong>
        <IconAlertTriangle size={16} aria-hidden />
        This does not work as it stands
      </strong>
      <ul>
        {warnings.map(({ code, message, path = "" }) => (
          <li key={`${code} ${path} ${message}`}>
            {message} {path !== "" && <code>{path}</code>}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** In one line, for tooltips and toasts. */
export function warningsLine(warnings: readonly EntityWarning[]): string {
  const [first, ...others] = warnings;
  if (!first) return "";
  return others.length === 0 ? first.message : `${first.message} And ${others.length} more.`;
}
