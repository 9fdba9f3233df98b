import type { Fault } from "./fault.ts";

const texts = "web/src/parts/text-difference";

/** Differences of large texts. */
export const textFaults: readonly Fault[] = [
  {
    name: "a shuffled sequence loses the matches between two anchors",
    file: "web/src/ui/diff/sequence-diff.ts",
    from: "    addUntil(oldIndex, index);",
    to: "",
    tests: ["web/src/ui/diff/sequence-diff.test.ts"],
  },
  {
    name: "ignoring positions also ignores properties named position",
    file: `${texts}/position-ranges.ts`,
    from: String.raw`/"position"\s*:\s*\{\s*"[xy]"\s*:\s*[\d.eE+-]+\s*,\s*"[xy]"\s*:\s*[\d.eE+-]+\s*\}\s*,?/g`,
    to: String.raw`/"position"\s*:[^\n]*/g`,
    tests: [`${texts}/compare-texts.test.ts`],
  },
  {
    name: "formatting minified JSON breaks texts that contain brackets",
    file: "contract/src/readable-text.ts",
    from: "isEscaped = !isEscaped && code === backslash;",
    to: "isEscaped = false;",
    tests: ["contract/src/readable-text.test.ts"],
  },
  {
    name: "bidirectional characters reorder the text around them",
    file: `${texts}/line-parts.ts`,
    from: "[\\p{Cc}\\p{Cf}",
    to: "[\\p{Cc}",
    tests: [`${texts}/line-parts.test.ts`],
  },
  {
    name: "a line with something below it is folded",
    file: `${texts}/row-model.ts`,
    from: "place < 0 ? [] : [around(place)]",
    to: "place < 0 ? [around(place)] : []",
    tests: [`${texts}/row-model.test.ts`],
  },
  {
    name: "texts are compared without a pause",
    file: `${texts}/text-difference.tsx`,
    from: "const debounceMs = 500;",
    to: "const debounceMs = 0;",
    tests: [`${texts}/text-difference.test.tsx`],
  },
  {
    name: "a comparison that newer texts replace goes on",
    file: `${texts}/use-comparison.ts`,
    from: "worker.end();",
    to: "",
    tests: [`${texts}/text-difference.test.tsx`],
  },
  {
    name: "find misses what is folded",
    file: `${texts}/text-view.tsx`,
    from: "if (shownModel.rowOfLine(side, line) < 0) setRevealed([...revealed, around(place)]);",
    to: "",
    tests: [`${texts}/text-difference.test.tsx`],
  },
];
