/** Kind of a run of lines in a comparison. */
export const BlockKind = {
  same: 0,
  /** Removed and added lines that stand side by side, the first opposite the first. */
  changed: 1,
  removed: 2,
  added: 3,
  /** Only on one side, and not a change by what the user ignores. */
  ignoredBefore: 4,
  ignoredAfter: 5,
} as const;
export type BlockKind = (typeof BlockKind)[keyof typeof BlockKind];

export interface Block {
  kind: BlockKind;
  count: number;
}

/** As kind, count, kind, count …, which travels from the worker without being copied. */
export function packBlocks(blocks: readonly Block[]): Int32Array {
  const packed = new Int32Array(blocks.length * 2);
  let at = 0;
  for (const { kind, count } of blocks) {
    packed[at] = kind;
    packed[at + 1] = count;
    at += 2;
  }
  return packed;
}

export const isChange = (kind: number): boolean => kind === BlockKind.changed || kind === BlockKind.removed || kind === BlockKind.added;
export const isInBefore = (kind: number): boolean => kind !== BlockKind.added && kind !== BlockKind.ignoredAfter;
export const isInAfter = (kind: number): boolean => kind !== BlockKind.removed && kind !== BlockKind.ignoredBefore;
