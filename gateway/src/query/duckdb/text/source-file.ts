/** One file of a source. `state` changes when the file does. */
export interface SourceFile {
  readonly path: string;
  /** For messages to administrators; undefined = the path. */
  readonly name?: string;
  readonly state: string;
  readonly bytes: number;
  /** A sheet of a workbook of which several are read. */
  readonly sheet?: string;
  /** Other names for columns of a CSV file. */
  readonly renamed?: Readonly<Record<string, string>>;
}

/** Every line is checked up to this many bytes and files of a source; beyond that, only the beginning. */
export const checkedBytes = 64_000_000;
export const checkedFiles = 200;

export const escapeGlob = (path: string): string => path.replaceAll(/[*?[]/g, "[$&]");
