import { Loader } from "@mantine/core";
import { useDelayElapsed } from "#ui/states.tsx";
import classes from "./area.module.css";

/** Says on a bare map that more comes, once that takes longer than a moment. Lies over the map and lets presses through. */
export function MapLoading() {
  const isLate = useDelayElapsed();
  return (
    <p role="status" className={classes["loading"]}>
      {isLate && (
        <span>
          <Loader size={14} aria-hidden /> Loading map
        </span>
      )}
    </p>
  );
}
