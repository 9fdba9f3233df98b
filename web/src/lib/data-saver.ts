/** Whether the person asked the browser to use less data (Save-Data): nothing is fetched before it is needed then. */
export const isSavingData = (): boolean =>
  "connection" in navigator && (navigator.connection as { readonly saveData?: boolean } | undefined)?.saveData === true;
