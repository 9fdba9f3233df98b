// Not allowed in names on one of the systems people download to, or steering how the name is shown.
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const unsafe = /[\\/:*?"<>|\u0000-\u001f\u007f\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g;

/** A name that every file system takes: no separators, no control characters, no dots or spaces at its ends. */
export const safeFileName = (name: string): string => name.replace(unsafe, "-").replace(/^[.\s]+|[.\s]+$/g, "") || "download";
