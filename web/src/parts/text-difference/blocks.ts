/** What a run of lines is in a comparison. */
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
export const packBlocks = (blocks: readonly Block[]): Int32Array => Int32Array.from(blocks.flatMap(({ kind, count }) => [kind, count]));

export const isChange = (kind: number): boolean => kind === BlockKind.changed || kind === BlockKind.removed || kind === BlockKind.added;
export const isInBefore = (kind: number): boolean => kind !== BlockKind.added && kind !== BlockKind.ignoredAfter;
export const isInAfter = (kind: number): boolean => kind !== BlockKind.removed && kind !== BlockKind.ignoredBefore;
