import type { DocEntry } from "@fairway/contract/docs";

/** A tutorial video without preview and captions. */
export const buildVideo = (id: string, name: string, overrides: Partial<DocEntry> = {}): DocEntry => ({
  id,
  name,
  category: "video/mp4",
  description: `About ${name}`,
  hasContent: true,
  hasPreview: false,
  hasCaptions: false,
  ...overrides,
});

/** An external page for everyone, in the menu of the search. */
export const wiki = { name: "wiki", displayName: "Team wiki", faIcon: "book", role: "*", navBar: "search" as const };
