import type { ReaderAccess } from "@fairway/contract/dataset-access";

const usualNote = "Access rules show you some rows of this dataset. Counts, graphs and exports cover these only.";

/** Which rows rules leave a reader, as the administrator's notes say it. One note a line. */
export const partText = ({ notes }: Pick<ReaderAccess, "notes">): string => (notes.length === 0 ? usualNote : notes.join("\n"));

export const withheldColumnsText = "Some columns are not shown to you.";

export const changedAccessText = "What you may see of this dataset has changed. The results were loaded again.";
