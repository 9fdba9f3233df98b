/** Rows and header; `--row-h` in CSS. */
export const rowHeightPx = 32;
