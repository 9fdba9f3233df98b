import { formatCount, formatList, plural, pluralize } from "@fairway/contract/counts";
import type { Found, SheetFacts } from "./sheet-facts.ts";

/** Remarks on a sheet that was read. */
/** `isChosen`: the sheet is one that was chosen by its name, so that others need no mention. */
export function sheetSentences(facts: SheetFacts, isChosen: boolean): string[] {
  const { sheet, sheets, errors, unstored, long, outside, percent, merged, repeated } = facts;
  const others = sheets
    .filter(({ name }) => !isChosen && name !== sheet)
    .map(({ name, isHidden }) => `'${name}'${isHidden ? " (hidden)" : ""}`);
  return [
    ...(others.length === 0
      ? []
      : [
          `Read from the sheet '${sheet}'. The workbook also has ${formatList(others.slice(0, 10))}${others.length > 10 ? " and more" : ""}.`,
        ]),
    ...repeated.map((name) => `The column name '${name}' is used more than once; the later columns are numbered.`),
    ...sentenceOf(
      errors,
      ({ count, text }) =>
        `${pluralize(count, "cell")} ${plural(count, "holds an error", "hold errors")} such as ${text} and ${plural(count, "is", "are")} read as empty`,
    ),
    ...sentenceOf(
      unstored,
      ({ count }) =>
        `${pluralize(count, "formula")} ${plural(count, "has", "have")} no stored value and ${plural(count, "is", "are")} read as empty; open the workbook and save it to store them`,
    ),
    ...sentenceOf(
      long,
      ({ count, text }) =>
        `${pluralize(count, "number")} ${plural(count, "has", "have")} more than 15 digits, which spreadsheets round, such as ${text}`,
    ),
    ...sentenceOf(
      outside,
      ({ count, text }) => `${pluralize(count, "cell")} outside of the columns ${plural(count, "is", "are")} left out, such as '${text}'`,
    ),
    ...(percent.length === 0
      ? []
      : [
          `${formatList(percent.slice(0, 10).map((name) => `'${name}'`))} ${plural(percent.length, "is", "are")} shown as percentages in the workbook and kept as fractions: 25 % is 0.25.`,
        ]),
    ...(merged === null
      ? []
      : [
          merged.isFilled
            ? `${pluralize(merged.areas, "merged area")} ${plural(merged.areas, "is", "are")} filled down with the value of the first cell.`
            : `${pluralize(merged.areas, "merged area")} ${plural(merged.areas, "has its", "have their")} value in the first row only: the sheet is too large to fill them down.`,
        ]),
  ];
}

const sentenceOf = (found: Found | null, text: (found: Found) => string): string[] =>
  found === null ? [] : [`${text(found)} (row ${formatCount(found.line)}).`];
