import { startTour } from "#lib/screens/tour.ts";
import classes from "./datasets.module.css";

/** Starts the tour. */
export default function TakeTour() {
  return (
    <button type="button" className={classes["tour"]} onClick={startTour}>
      Take the tour
    </button>
  );
}
