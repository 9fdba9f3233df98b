import { IconClock } from "./icons/clock.ts";
import { useZoneChoice } from "#lib/time/result-zone.ts";
import classes from "./ui.module.css";

/** Shows the time zone of a screen and toggles between UTC and the browser's zone. */
export function TimeZoneToggle() {
  const { zone, other, toggle } = useZoneChoice();
  const text = `Times in ${zone.replaceAll("_", " ")}`;
  if (other === null) return <span className={classes["zone"]}>{text}</span>;
  return (
    <button
      type="button"
      className={classes["zone"]}
      title={`Show times in ${other.replaceAll("_", " ")}. Filters and exports stay in UTC.`}
      onClick={toggle}
    >
      <IconClock size={14} aria-hidden />
      {text}
    </button>
  );
}
