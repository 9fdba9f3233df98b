import { conditionLines } from "./condition-lines.ts";
import type { FunctionLines } from "./function-lines.ts";
import type { LineParts } from "./line-parts.ts";
import { numberLines } from "./number-lines.ts";
import { textLines } from "./text-lines.ts";
import { timeLines } from "./time-lines.ts";

/** The SQL of each function of the language for an engine. */
export const functionLines = (parts: LineParts): FunctionLines => ({
  ...conditionLines(parts),
  ...numberLines(parts),
  ...textLines(parts),
  ...timeLines(parts),
});
