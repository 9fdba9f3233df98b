/** Bounds of one formula. They keep checking, SQL and plans of engines small. */
export const expressionLimits = {
  /** UTF-16 units of the text. */
  characters: 2_000,
  /** Values, columns and functions. */
  nodes: 200,
  /** How deep functions and operators are nested; a chain such as `a + b - c` is one level. */
  depth: 30,
} as const;

/** Longest text that a function builds, in code points. A longer one has no value: replacing again and again would fill the memory. */
export const maxBuiltText = 100_000;
/** Longest text that `pad_left` fills up to, in code points. */
export const maxPaddedText = 1_000;
