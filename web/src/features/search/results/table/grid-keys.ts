/** A place in the grid. Row 0 is the header. */
export interface GridPlace {
  row: number;
  column: number;
}

export interface GridSize {
  /** Without the header. */
  rows: number;
  columns: number;
  /** Rows that one screen holds. */
  page: number;
}

interface Pressed {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}

/** Where a key leads from a place; null for a key that moves nothing, the same place at an edge. */
export function placeAfter(pressed: Pressed, { row, column }: GridPlace, { rows, columns, page }: GridSize): GridPlace | null {
  if (pressed.altKey || pressed.shiftKey) return null;
  const far = pressed.ctrlKey || pressed.metaKey;
  const at = (nextRow: number, nextColumn: number): GridPlace => ({
    row: Math.min(rows, Math.max(0, nextRow)),
    column: Math.min(columns - 1, Math.max(0, nextColumn)),
  });
  switch (pressed.key) {
    case "ArrowUp":
      return at(far ? 1 : row - 1, column);
    case "ArrowDown":
      return at(far ? rows : row + 1, column);
    case "ArrowLeft":
      return at(row, far ? 0 : column - 1);
    case "ArrowRight":
      return at(row, far ? columns - 1 : column + 1);
    case "Home":
      return far ? at(Math.min(1, rows), 0) : at(row, 0);
    case "End":
      return far ? at(rows, columns - 1) : at(row, columns - 1);
    case "PageUp":
      return at(Math.max(Math.min(1, rows), row - page), column);
    case "PageDown":
      return at(row + page, column);
    default:
      return null;
  }
}
