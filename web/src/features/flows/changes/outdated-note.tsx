import { pluralize } from "@fairway/contract/counts";
import type { FoundComponents } from "./commented-components.ts";
import classes from "./changes.module.css";

/** Why comments on components are not shown at them. */
export function OutdatedNote({ outdated }: Pick<FoundComponents, "outdated">) {
  return outdated.map(({ name, namesakes }) => (
    <p key={name} className={classes["note"]}>
      <span className={classes["outdated"]}>Outdated</span>
      {namesakes === 0
        ? ` Comments on "${name}" are only in the conversation: no component here has this name.`
        : ` Comments on "${name}" are only in the conversation: ${pluralize(namesakes, "component")} here have this name.`}
    </p>
  ));
}
