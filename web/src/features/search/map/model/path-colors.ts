/** Names of the palette, so that a theme decides what they look like: the default, then the four extra ones. */
export const pathColours = ["path", "c2", "c4", "c3", "c1"] as const;
export type PathColour = (typeof pathColours)[number];
