import { z } from "zod";
import { plainLine } from "./text.ts";

/** How often the rows of a dataset are planned to change. */
const updateRhythm = z.enum(["hourly", "daily", "weekly", "monthly", "quarterly", "yearly", "irregular", "never"]);

/**
 * How long after an update the next one is overdue: the period, with time for the publication to be late. Null without a period.
 * Decision 0395.
 */
export const overdueAfterHours: Readonly<Record<z.infer<typeof updateRhythm>, number | null>> = {
  hourly: 2,
  daily: 2 * 24,
  weekly: 9 * 24,
  monthly: 38 * 24,
  quarterly: 107 * 24,
  yearly: 395 * 24,
  irregular: null,
  never: null,
};

const tagLimits = { characters: 40, tags: 10 } as const;

const maxAddressCharacters = 2_000;

const isHttpsUrl = (text: string): boolean => z.url({ protocol: /^https$/ }).safeParse(text).success && !/[@\\\s]/.test(text);
const isMailAddress = (text: string): boolean => text.length <= 320 && z.email().safeParse(text).success;

const httpsUrl = z.string().max(maxAddressCharacters).refine(isHttpsUrl, "is not an https address");

/** A text with an optional link. */
const linkedText = z.object({ text: plainLine(1, 200), link: httpsUrl.nullish() });

const tags = z
  .array(plainLine(1, tagLimits.characters))
  .max(tagLimits.tags)
  .superRefine((list, context) => {
    const seen = new Set<string>();
    for (const [index, tag] of list.entries()) {
      if (seen.has(tag.toLowerCase())) context.addIssue({ code: "custom", path: [index], message: `there is another tag '${tag}'` });
      seen.add(tag.toLowerCase());
    }
  });

/** Facts about an internal dataset besides its rows. Every field may be absent. */
export const datasetAbout = z.object({
  /** Who is responsible for the data. */
  owner: plainLine(1, 200).nullish(),
  contact: z
    .string()
    .max(maxAddressCharacters)
    .refine((text) => isMailAddress(text) || isHttpsUrl(text), "is not an email address or an https address")
    .nullish(),
  /** Origin of the data. `source` names their files. */
  origin: linkedText.nullish(),
  license: linkedText.nullish(),
  updateRhythm: updateRhythm.nullish(),
  tags: tags.nullish(),
});
export type DatasetAbout = z.infer<typeof datasetAbout>;
