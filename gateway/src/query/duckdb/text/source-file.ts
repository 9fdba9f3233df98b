/** One file of a source and the state that it was seen in. */
export interface SourceFile {
  readonly path: string;
  readonly state: string;
  readonly bytes: number;
}

/** Up to this many bytes and files of a source every line is looked at; of what is larger, the first ones. */
export const checkedBytes = 64_000_000;
export const checkedFiles = 200;

export const escapeGlob = (path: string): string => path.replaceAll(/[*?[]/g, "[$&]");
