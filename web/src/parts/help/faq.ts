import { filesets } from "@fairway/contract/filesets";
import { queryOptions } from "@tanstack/react-query";
import { z } from "zod";
import { callText } from "#lib/gateway/call.ts";
import { usePortal } from "#lib/gateway/portal-settings.ts";

const faqFile = z.array(z.object({ question: z.string(), answer: z.union([z.string(), z.array(z.string())]) }));

export interface FaqEntry {
  /** Identifies the question in an address. */
  id: string;
  question: string;
  /** Paragraphs of Markdown. */
  paragraphs: readonly string[];
}

/** The questions of `faq.json` in the help fileset. */
export const faqQuery = queryOptions({
  queryKey: ["faq"],
  queryFn: async ({ signal }) => {
    const { helpFilesetId } = usePortal.getState().settings;
    return parseFaq(await callText(filesets.download, { params: { id: helpFilesetId }, query: { file: "faq.json" } }, { signal }));
  },
});

function parseFaq(text: string): FaqEntry[] {
  const used = new Map<string, number>();
  return parseFile(text).map(({ question, answer }) => {
    const slug = slugOf(question);
    const count = (used.get(slug) ?? 0) + 1;
    used.set(slug, count);
    return { id: count === 1 ? slug : `${slug}-${count}`, question, paragraphs: [answer].flat() };
  });
}

function parseFile(text: string): z.infer<typeof faqFile> {
  try {
    return faqFile.parse(JSON.parse(text));
  } catch (cause) {
    throw new Error("faq.json is not a list of questions with answers.", { cause });
  }
}

const slugOf = (question: string): string =>
  question
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-|-$/g, "");
