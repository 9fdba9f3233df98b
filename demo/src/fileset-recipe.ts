import type { Fileset } from "@fairway/contract/entity-schemas";

/** A fileset of the demo platform: its configuration, and how its files are made. */
export interface FilesetRecipe {
  readonly entity: Fileset;
  /** Absolute paths by the names used in the SQL. */
  readonly sources: Readonly<Record<string, string>>;
  /**
   * DuckDB SELECTs that return one row for each file: `path`, `content`, `modified` (UTC) and `tags` (a JSON object).
   * `{name}` stands for the quoted path of a source.
   */
  readonly selects: readonly string[];
  /** Files that are copied as they are. */
  readonly copies: readonly FileCopy[];
}

export interface FileCopy {
  /** Path in the fileset. */
  readonly path: string;
  /** Absolute path of the file to copy. */
  readonly from: string;
  readonly tags: Readonly<Record<string, string>>;
}

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
