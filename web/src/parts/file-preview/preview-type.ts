import { extensionOf, fileTypeOf, type PreviewKind } from "@fairway/contract/file-types";

/** A file that can be previewed, wherever it comes from. */
export interface PreviewFile {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** ISO 8601. */
  readonly lastModified?: string | undefined;
  readonly downloadUrl: string;
  /** The fileset that holds it and its path there, by which the portal says how it reads the file. */
  readonly filesetId?: string | undefined;
  readonly path?: string | undefined;
}

/** The types that are previewed at once. The portal can draw others, too, but only shows them on request. */
const standardTypes: ReadonlySet<string> = new Set(["csv", "pdf", "jpg", "png", "txt", "json", "ipynb"]);

export interface PreviewType {
  readonly extension: string;
  /** Null if the portal cannot draw the type at all. */
  readonly kind: PreviewKind | null;
  readonly isStandard: boolean;
  /** Bytes from which the warning is shown. */
  readonly limit: number;
}

export const textLimitBytes = 5_000_000;
export const otherLimitBytes = 50_000_000;
const textKinds: ReadonlySet<PreviewKind> = new Set(["csv", "json", "text", "markdown", "geojson"]);

export function previewTypeOf(name: string): PreviewType {
  const extension = extensionOf(name);
  const { preview: kind } = fileTypeOf(name);
  return {
    extension,
    kind,
    isStandard: standardTypes.has(extension),
    limit: kind !== null && textKinds.has(kind) ? textLimitBytes : otherLimitBytes,
  };
}

/** Props of every view. */
export interface ViewProps {
  file: PreviewFile;
  /** Reports that the file cannot be shown. */
  onFailed: (error: unknown) => void;
}
