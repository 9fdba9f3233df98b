import type { QualityIssue, QualityReport } from "@fairway/contract/dataset-quality";
import type { FigureView } from "#query/whole-figures.ts";
import { emptyColumnsIssue, signatureOf } from "./evaluate-quality.ts";

interface Quality {
  readonly issues: readonly QualityIssue[];
  readonly emptySince: Readonly<Record<string, number>>;
  readonly changes: QualityReport["changes"];
}

/** Without what tells of columns that a view does not have as stored: as if they had never been measured. */
export function qualityShownTo<Stored extends Quality>(stored: Stored, view: FigureView): Stored {
  const emptySince = Object.fromEntries(Object.entries(stored.emptySince).filter(([name]) => view.isAsStored(name)));
  const ofRows = stored.issues.filter(({ kind }) => kind === "row-drop" || (kind === "late" && view.hasTimes));
  return { ...stored, emptySince, issues: [...ofRows, ...emptyColumnsIssue(emptySince)], changes: changesShownTo(stored.changes, view) };
}

/** Those that are left as changes. */
function changesShownTo(changes: Quality["changes"], view: FigureView): Quality["changes"] {
  let signature = signatureOf([]);
  const shown = changes.toReversed().flatMap(({ changedMs, issues }) => {
    const left = issues.flatMap((issue) => issueShownTo(issue, view));
    const before = signature;
    signature = signatureOf(left);
    return signature === before ? [] : [{ changedMs, issues: left }];
  });
  return shown.toReversed();
}

/** Of the empty columns, earlier changes hold the first ones only: all others are left out, because they may not be the reader's. */
function issueShownTo(issue: QualityIssue, view: FigureView): QualityIssue[] {
  if (issue.kind === "row-drop") return [issue];
  if (issue.kind === "late") return view.hasTimes ? [issue] : [];
  return emptyColumnsIssue(
    Object.fromEntries(issue.columns.filter(({ name }) => view.isAsStored(name)).map(({ name, sinceMs }) => [name, sinceMs])),
  );
}
