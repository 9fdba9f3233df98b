import { Button } from "@mantine/core";
import classes from "./facts.module.css";

/** Says that the facts are missing, above a list that works without them. */
export function FactsFailure({ onRetry }: { onRetry: () => void }) {
  return (
    <p role="alert" className={classes["failure"]}>
      {"The facts about the datasets could not be loaded. "}
      <Button variant="default" size="compact-sm" onClick={onRetry}>
        Retry
      </Button>
    </p>
  );
}
