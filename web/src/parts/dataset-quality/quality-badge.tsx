import type { DatasetQuality } from "@fairway/contract/dataset-quality";
import { IconAlertTriangle } from "#ui/icons/alert-triangle.ts";
import { Badge } from "#ui/badge.tsx";
import { issuesLabel, issuesText } from "./quality-text.ts";

/** Quality issues of a dataset's rows, in a few words. Renders nothing if all is well. */
export function QualityBadge({ quality }: { quality: DatasetQuality | undefined }) {
  if (!quality) return null;
  return (
    <Badge icon={IconAlertTriangle} tone="warning" title={issuesText(quality.issues)}>
      {issuesLabel(quality.issues)}
      <span className="visually-hidden">{`: ${issuesText(quality.issues)}`}</span>
    </Badge>
  );
}
