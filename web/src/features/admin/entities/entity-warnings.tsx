import type { EntityWarning } from "@fairway/contract/entity-warning";
import { IconAlertTriangle } from "#ui/icons/alert-triangle.ts";
import classes from "./entities.module.css";

/** Warnings about names, which do not keep an entity from working. */
const nameWarnings: ReadonlySet<string> = new Set(["unclear-name", "similar-name"]);

/** Access rules are applied whatever their warnings say. */
const isCaution = ({ code, path = "" }: EntityWarning): boolean => nameWarnings.has(code) || /^access(?:\.|$)/.test(path);

export const isUsable = (warnings: readonly EntityWarning[]): boolean => warnings.every(isCaution);

const samePath = (path: string): string => path;

interface Props {
  warnings: readonly EntityWarning[] | undefined;
  /** Where the part with a path is on the screen; the path itself by default. */
  placeOf?: (path: string) => string;
}

/** Why an entity does not work yet or is easily mistaken. Warnings do not prevent saving. */
export function EntityWarnings({ warnings, placeOf = samePath }: Props) {
  if (warnings === undefined || warnings.length === 0) return null;
  const works = isUsable(warnings);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, also by keyboard
    <div role="note" aria-label={works ? "May not be what you meant" : "Does not work yet"} className={classes["warnings"]} tabIndex={0}>
      <strong>
        <IconAlertTriangle size={16} aria-hidden />
        {works ? "This works, but may not be what you meant" : "This doesn't work yet"}
      </strong>
      <ul>
        {warnings.map(({ code, message, path = "" }) => (
          <li key={`${code} ${path} ${message}`}>
            {message} {placeOf(path) !== "" && <code>{placeOf(path)}</code>}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** A one-line summary for tooltips and toasts. */
export function warningsLine(warnings: readonly EntityWarning[]): string {
  const [first, ...others] = warnings;
  if (!first) return "";
  return others.length === 0 ? first.message : `${first.message} And ${others.length} more.`;
}
