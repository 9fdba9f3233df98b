/** Patterns of the positions of components and of the bends of connections: in flow definitions (JSON) and in templates (XML). */
const jsonPatterns = [
  /"position"\s*:\s*\{\s*"[xy]"\s*:\s*[\d.eE+-]+\s*,\s*"[xy]"\s*:\s*[\d.eE+-]+\s*\}\s*,?/g,
  /"bends"\s*:\s*\[[\s{}"xy:,\d.eE+-]*\]\s*,?/g,
];
const xmlElements = ["position", "bends"] as const;

/** The ranges of a NiFi flow that only say where something is drawn: from, to, from, to …, in ascending order. */
export function positionRanges(text: string): Int32Array {
  const ranges: [from: number, to: number][] = [];
  if (/^\s{0,1000}</.test(text)) {
    for (const element of xmlElements) {
      const [open, close] = [`<${element}>`, `</${element}>`];
      for (let from = text.indexOf(open); from >= 0;) {
        const end = text.indexOf(close, from);
        if (end < 0) break;
        ranges.push([from, end + close.length]);
        from = text.indexOf(open, end);
      }
    }
  } else {
    for (const pattern of jsonPatterns)
      for (const { index, 0: match } of text.matchAll(pattern)) ranges.push([index, index + match.length]);
  }
  return Int32Array.from(ranges.toSorted((one, other) => one[0] - other[0]).flat());
}
