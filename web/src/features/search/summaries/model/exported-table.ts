import type { BreakdownAnswer, BreakdownGrouping } from "@fairway/contract/breakdowns";
import type { Asked } from "@fairway/contract/charts/asked";
import { entryLabel } from "@fairway/contract/charts/figures";
import { formatCount, manyOf } from "@fairway/contract/counts";
import type { ExportedTable } from "#parts/result-export/export-all-dialog.tsx";

type Cut = Extract<BreakdownGrouping, { kind: "value" }> & { top: object };

const isCut = (grouping: BreakdownGrouping): grouping is Cut => grouping.kind === "value" && grouping.top !== undefined;

/** The content that a file of a summary may have: its groups, or those that are shown and, where `top` leaves some out, all of them. */
export function exportedTable(title: string, asked: Asked, answer: BreakdownAnswer | undefined): ExportedTable {
  const by = asked.by ?? [];
  const isComplete =
    answer !== undefined && by.every((grouping, index) => !isCut(grouping) || meetingIn(answer, index) <= grouping.top.count);
  if (isComplete || !by.some(isCut)) {
    const which =
      (asked.having ?? []).length > 0 ? " that meet the conditions" : answer?.isCut === true ? ", not only the listed ones" : "";
    const note = by.length === 0 ? `The figures of ${title}.` : `All groups of ${title}${which}.`;
    return { note, extents: [{ label: "All groups", breakdown: asked }] };
  }
  return { note: `The figures of ${title}.`, extents: [shownExtent(asked, by, answer), wholeExtent(asked, by, answer)] };
}

/** Groups of a grouping that meet the conditions. */
function meetingIn({ by }: BreakdownAnswer, index: number): number {
  const axis = by[index];
  return axis === undefined ? 0 : axis.found - axis.failing.groups;
}

function shownExtent(
  asked: Asked,
  by: readonly BreakdownGrouping[],
  answer: BreakdownAnswer | undefined,
): ExportedTable["extents"][number] {
  const [only, ...others] = by;
  const axis = answer?.by[0];
  const isOne = only !== undefined && isCut(only) && others.length === 0;
  const named = axis?.entries.filter(({ kind }) => kind === "value").length;
  const other = isOne ? axis?.entries.find(({ kind }) => kind === "other") : undefined;
  const label =
    !isOne || named === undefined
      ? "The groups shown"
      : named === 1
        ? "The group shown"
        : `The ${formatCount(named)} ${manyOf(only.column)} shown`;
  const hasOther = by.some((grouping) => isCut(grouping) && grouping.top.other === true);
  return {
    label,
    description: hasOther
      ? `All other rows are one group, ${axis && other ? entryLabel(other, axis, []) : "Other"}.`
      : "The others are left out.",
    breakdown: asked,
  };
}

function wholeExtent(
  asked: Asked,
  by: readonly BreakdownGrouping[],
  answer: BreakdownAnswer | undefined,
): ExportedTable["extents"][number] {
  const [only, ...others] = by;
  const isOne = only !== undefined && isCut(only) && others.length === 0;
  const all = isOne && answer !== undefined ? `All ${formatCount(meetingIn(answer, 0))} ${manyOf(only.column)}` : "All groups";
  return {
    label: (asked.having ?? []).length > 0 ? `${all} that meet the conditions` : all,
    description: "Each is a group of its own, without Other.",
    breakdown: { ...asked, by: by.map(whole) },
  };
}

/** The grouping with all its groups in the same order. */
function whole(grouping: BreakdownGrouping): BreakdownGrouping {
  if (!isCut(grouping)) return grouping;
  const { top, ...rest } = grouping;
  const { by, direction } = top;
  return {
    ...rest,
    ...(rest.sort === undefined && by !== undefined ? { sort: { by, ...(direction === undefined ? {} : { direction }) } } : {}),
  };
}
