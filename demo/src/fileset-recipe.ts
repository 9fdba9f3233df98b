import type { Fileset } from "@fairway/contract/entity-schemas";
import type { FileCopy, FilesetRecipe } from "@fairway/contract/recipes";

/** The bucket of every fileset of the demo; each has a prefix of its own. */
const bucket = "demo";

interface FilesetDraft extends Pick<Fileset, "id" | "description">, Partial<Pick<Fileset, "allowsUploads">> {
  readonly sources?: FilesetRecipe["sources"];
  readonly selects?: readonly string[];
  readonly copies?: readonly FileCopy[];
}

export function filesetRecipe({ id, description, allowsUploads = false, ...files }: FilesetDraft): FilesetRecipe {
  const entity: Fileset = { id, description, s3Bucket: bucket, s3Prefix: id, allowedRoles: [], allowsUploads };
  return { entity, sources: {}, selects: [], copies: [], ...files };
}
