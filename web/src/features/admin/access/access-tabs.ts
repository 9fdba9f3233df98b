/** The parts of the dialog. */
export const accessTabs = [
  { tab: "readers", label: "Readers" },
  { tab: "rows", label: "Rows" },
  { tab: "columns", label: "Columns" },
  { tab: "preview", label: "See it as" },
] as const;
export type AccessTab = (typeof accessTabs)[number]["tab"];

export const isAccessTab = (name: unknown): name is AccessTab => accessTabs.some(({ tab }) => tab === name);
