import { z } from "zod";

const leftOut = z.object({ leftOutPicture: z.object({ page: z.int().nullable() }) });

/** A picture of a document that cannot be drawn. `page` is zero-based, and null if it is not known. */
export type LeftOutPicture = z.infer<typeof leftOut>;

const warnings = /Unable to decode (?:inline )?image|Image exceeded maximum allowed size|Image dimensions are missing/;

/** The picture that a warning of the library is about; null if it is about something else. */
export function leftOutPicture(warning: string): LeftOutPicture | null {
  if (!warnings.test(warning)) return null;
  const page = /img_p(\d+)_/.exec(warning)?.[1];
  return { leftOutPicture: { page: page === undefined ? null : Number(page) } };
}

/** The same from a message of the worker; undefined for messages of the library. */
export const leftOutOf = (message: unknown): LeftOutPicture["leftOutPicture"] | undefined =>
  leftOut.safeParse(message).data?.leftOutPicture;

/** The note below the pages; undefined if every picture could be drawn so far. */
export function leftOutNote(pages: ReadonlySet<number | null>): string | undefined {
  if (pages.size === 0) return undefined;
  const known = [...pages].filter((page) => page !== null).toSorted((one, other) => one - other);
  if (known.length === 0) return "A picture can't be shown: it is damaged or too large. Download the file to see it.";
  const shown = known.slice(0, maxNamed).map((page) => String(page + 1));
  const named = new Intl.ListFormat("en-US").format(known.length > maxNamed ? [...shown, "others"] : shown);
  return known.length === 1
    ? `A picture on page ${named} can't be shown: it is damaged or too large. Download the file to see it.`
    : `Pictures on pages ${named} can't be shown: they are damaged or too large. Download the file to see them.`;
}

const maxNamed = 5;
