/** Whether the browser is set to use less data (Save-Data). Nothing is prefetched then. */
export const isSavingData = (): boolean =>
  "connection" in navigator && (navigator.connection as { readonly saveData?: boolean } | undefined)?.saveData === true;
