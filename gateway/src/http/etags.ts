/** Whether an If-None-Match names the ETag, also as a weak one: a proxy that compresses makes it weak. */
export const matchesEtag = (header: string | undefined, etag: string): boolean =>
  header !== undefined && header.split(",").some((candidate) => candidate.trim() === "*" || candidate.trim().replace(/^W\//, "") === etag);
