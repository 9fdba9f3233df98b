import { FailureLine } from "#ui/states.tsx";
import classes from "./facts.module.css";

/** Says that the facts are missing, above a list that works without them. */
export const FactsFailure = ({ onRetry }: { onRetry: () => void }) => (
  <FailureLine text="The facts about the datasets could not be loaded." onRetry={onRetry} className={classes["failure"]} />
);
