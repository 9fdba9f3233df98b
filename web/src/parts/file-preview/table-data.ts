import { compareNames } from "@fairway/contract/name-order";

export interface TableColumn {
  readonly name: string;
  /** Shown beside the name. */
  readonly type?: string | undefined;
  readonly isNumeric: boolean;
  /** Values to sort by in place of the texts, by row; NaN sorts last. */
  readonly keys?: ArrayLike<number> | undefined;
}

/** Rows of texts. A row may have fewer cells than there are columns. */
export interface TableData {
  readonly columns: readonly TableColumn[];
  readonly rows: readonly (readonly string[])[];
}

interface Key {
  readonly text: string;
  readonly number: number;
}

/** The indexes of the rows in the order of a column: numbers by value, other texts after them by the alphabet, blanks last. */
export function sortedRows({ rows, columns }: TableData, column: number, isDescending: boolean): number[] {
  const given = columns[column]?.keys;
  const keys = rows.map((row, index): Key => {
    const text = row[column] ?? "";
    if (given) return { text: Number.isNaN(given[index]) ? "" : text, number: given[index] ?? Number.NaN };
    return { text, number: text.trim() === "" ? Number.NaN : Number(text) };
  });
  const compareKeys = (left: Key, right: Key): number => {
    const [leftIsText, rightIsText] = [Number.isNaN(left.number), Number.isNaN(right.number)];
    if (leftIsText !== rightIsText) return leftIsText ? 1 : -1;
    if (leftIsText) return compareNames(left.text, right.text);
    if (left.number !== right.number) return left.number < right.number ? -1 : 1;
    // Whole numbers beyond 2^53 differ only in their texts.
    return left.text !== right.text && isWhole(left.text) && isWhole(right.text) ? (BigInt(left.text) < BigInt(right.text) ? -1 : 1) : 0;
  };
  const direction = isDescending ? -1 : 1;
  return [...rows.keys()].toSorted((a, b) => {
    const [left, right] = [keys[a], keys[b]];
    if (!left || !right || (left.text === "" && right.text === "")) return a - b;
    if (left.text === "" || right.text === "") return left.text === "" ? 1 : -1;
    return direction * compareKeys(left, right) || a - b;
  });
}

const isWhole = (text: string): boolean => /^-?\d{1,100}$/.test(text);
