import type { DatasetRef } from "@fairway/contract/datasets";
import { Button } from "@mantine/core";
import { IconAlertTriangle } from "#ui/icons/alert-triangle.ts";
import { useQuery } from "@tanstack/react-query";
import { qualityQuery } from "#parts/dataset-quality/queries.ts";
import { dayText, issuesText, issueText } from "#parts/dataset-quality/quality-text.ts";
import classes from "./schema.module.css";

/** Quality issues of the dataset's rows, and how they changed. Renders nothing if all is well. */
export default function QualityNotes({ dataset }: { dataset: DatasetRef }) {
  const { data, isError, isFetching, refetch } = useQuery(qualityQuery(dataset.datasetCategory, dataset.datasetId));
  if (data === undefined) {
    if (!isError || isFetching) return null;
    return (
      <section aria-label="Quality" className={classes["notes"]} data-failed>
        <p>The quality of the data could not be loaded.</p>
        <Button variant="default" size="compact-sm" onClick={() => void refetch()}>
          Retry
        </Button>
      </section>
    );
  }
  const { issues, changes, measuredMs } = data;
  if (issues.length === 0) return null;
  return (
    <section aria-label="Quality" className={classes["notes"]}>
      <IconAlertTriangle size={16} stroke={1.75} aria-hidden />
      <div>
        <ul>
          {issues.map((issue) => (
            <li key={issue.kind}>{issueText(issue)}</li>
          ))}
        </ul>
        {changes.length > 1 && (
          <details>
            <summary>Latest changes</summary>
            <ul>
              {changes.map((change) => (
                <li key={change.changedMs}>{`${dayText(change.changedMs)}: ${issuesText(change.issues) || "No issues."}`}</li>
              ))}
            </ul>
          </details>
        )}
      </div>
      {measuredMs !== null && <p className={classes["measured"]}>{`Measured ${dayText(measuredMs)}`}</p>}
    </section>
  );
}
