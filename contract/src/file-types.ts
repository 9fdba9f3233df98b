/** Type of a file, by its extension: how it is sent, which icon it gets and how it can be previewed. */
export interface FileType {
  /** Never a type that a browser would run: HTML and scripts are sent as plain text. */
  readonly mediaType: string;
  readonly preview: PreviewKind | null;
}

export type PreviewKind = "csv" | "pdf" | "image" | "text" | "json" | "notebook" | "markdown" | "geojson" | "video" | "parquet" | "zip";

const types = {
  csv: { mediaType: "text/csv", preview: "csv" },
  tsv: { mediaType: "text/tab-separated-values", preview: "csv" },
  pdf: { mediaType: "application/pdf", preview: "pdf" },
  jpg: { mediaType: "image/jpeg", preview: "image" },
  jpeg: { mediaType: "image/jpeg", preview: "image" },
  png: { mediaType: "image/png", preview: "image" },
  gif: { mediaType: "image/gif", preview: "image" },
  webp: { mediaType: "image/webp", preview: "image" },
  svg: { mediaType: "image/svg+xml", preview: "image" },
  txt: { mediaType: "text/plain", preview: "text" },
  log: { mediaType: "text/plain", preview: "text" },
  vtt: { mediaType: "text/vtt", preview: "text" },
  xml: { mediaType: "application/xml", preview: "text" },
  yaml: { mediaType: "application/yaml", preview: "text" },
  yml: { mediaType: "application/yaml", preview: "text" },
  json: { mediaType: "application/json", preview: "json" },
  geojson: { mediaType: "application/geo+json", preview: "geojson" },
  ipynb: { mediaType: "application/x-ipynb+json", preview: "notebook" },
  md: { mediaType: "text/markdown", preview: "markdown" },
  mp4: { mediaType: "video/mp4", preview: "video" },
  parquet: { mediaType: "application/vnd.apache.parquet", preview: "parquet" },
  zip: { mediaType: "application/zip", preview: "zip" },
} as const satisfies Readonly<Record<string, FileType>>;

export type KnownExtension = keyof typeof types;

const other: FileType = { mediaType: "application/octet-stream", preview: null };

/** The part after the last dot in lower case; empty if there is none. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot <= name.lastIndexOf("/") + 1 ? "" : name.slice(dot + 1).toLowerCase();
}

export function fileTypeOf(name: string): FileType {
  const extension = extensionOf(name);
  return Object.hasOwn(types, extension) ? types[extension as KnownExtension] : other;
}

/** The usual extension of files of a media type; undefined for a type that is not known. */
export const extensionFor = (mediaType: string): KnownExtension | undefined =>
  (Object.keys(types) as KnownExtension[]).find((extension) => types[extension].mediaType === mediaType);

/** Every media type that a download may have. */
export const fileMediaTypes = [...new Set([other, ...Object.values(types)].map(({ mediaType }) => mediaType))] as [string, ...string[]];
