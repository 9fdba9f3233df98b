import type { FlowFieldChange } from "@fairway/contract/flow-differences";

export interface SentencePart {
  readonly text: string;
  /** The value that the part shows; null for words around both. */
  readonly value: "before" | "after" | null;
}

/** The sentence with the values of its field marked; null if it does not contain both in full. */
export function sentenceParts(sentence: string, { before, after }: FlowFieldChange): SentencePart[] | null {
  const afterAt = after === null || after === "" ? sentence.length : sentence.lastIndexOf(after);
  const beforeAt = before === null || before === "" ? -1 : sentence.lastIndexOf(before, afterAt - before.length);
  const lacksAfter = after !== null && after !== "" && afterAt < 0;
  const lacksBefore = before !== null && before !== "" && beforeAt < 0;
  if (lacksAfter || lacksBefore) return null;
  const beforeEnd = beforeAt < 0 ? 0 : beforeAt + (before?.length ?? 0);
  const parts: SentencePart[] = [
    { text: beforeAt < 0 ? "" : sentence.slice(0, beforeAt), value: null },
    { text: beforeAt < 0 ? "" : (before ?? ""), value: "before" },
    { text: sentence.slice(beforeEnd, afterAt), value: null },
    { text: after ?? "", value: "after" },
    { text: sentence.slice(afterAt + (after?.length ?? 0)), value: null },
  ];
  return parts.filter(({ text }) => text !== "");
}
