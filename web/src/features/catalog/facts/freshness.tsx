import type { DatasetFacts } from "@fairway/contract/dataset-facts";
import { IconAlertTriangle } from "#ui/icons/alert-triangle.ts";
import { freshnessOf } from "#parts/dataset-facts/fact-texts.ts";
import classes from "./facts.module.css";

/** When a dataset was updated; `before` precedes it unless the update is overdue. Nothing if it is not known. */
export function FreshnessText({ facts, before = "" }: { facts: DatasetFacts; before?: string }) {
  const freshness = freshnessOf(facts);
  if (freshness === null) return null;
  const { text, isOverdue, details } = freshness;
  return isOverdue ? (
    <span className={classes["overdue"]} title={details}>
      <IconAlertTriangle size={14} aria-hidden />
      {text}
    </span>
  ) : (
    <span title={details}>
      {before}
      {before === "" || !/^[A-Z]/.test(text) ? text : text.toLowerCase()}
    </span>
  );
}
