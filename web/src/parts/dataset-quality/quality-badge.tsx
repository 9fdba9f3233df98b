import type { DatasetQuality } from "@fairway/contract/dataset-quality";
import { IconAlertTriangle } from "@tabler/icons-react";
import { issuesLabel, issuesText } from "./quality-text.ts";
import classes from "./quality.module.css";

/** What is wrong with a dataset's rows, in a few words. Renders nothing if all is well. */
export function QualityBadge({ quality }: { quality: DatasetQuality | undefined }) {
  if (!quality) return null;
  return (
    <span className={classes["badge"]} title={issuesText(quality.issues)}>
      <IconAlertTriangle size={14} stroke={1.75} aria-hidden />
      {issuesLabel(quality.issues)}
      <span className="visually-hidden">{`: ${issuesText(quality.issues)}`}</span>
    </span>
  );
}
