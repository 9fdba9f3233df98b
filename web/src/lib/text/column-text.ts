import { type Column, columnTitle } from "@fairway/contract/columns";

/** The same with the unit of a column: `wind (kt)`. */
export const withUnit = (title: string, { unit }: Pick<Column, "unit">): string => ((unit ?? "") === "" ? title : `${title} (${unit})`);

/** The title of a column with its unit. */
export const columnText = (column: Column): string => withUnit(columnTitle(column), column);
