import { extensionOf, type KnownExtension } from "@fairway/contract/file-types";
import { IconFile } from "#ui/icons/file.ts";
import { IconFileCode } from "#ui/icons/file-code.ts";
import { IconFileText } from "#ui/icons/file-text.ts";
import { IconFileTypeCsv } from "#ui/icons/file-type-csv.ts";
import { IconFileTypePdf } from "#ui/icons/file-type-pdf.ts";
import { IconFileTypeXml } from "#ui/icons/file-type-xml.ts";
import { IconFileZip } from "#ui/icons/file-zip.ts";
import { IconFolder } from "#ui/icons/folder.ts";
import { IconJson } from "#ui/icons/json.ts";
import { IconMap2 } from "#ui/icons/map-2.ts";
import { IconMarkdown } from "#ui/icons/markdown.ts";
import { IconMovie } from "#ui/icons/movie.ts";
import { IconNotebook } from "#ui/icons/notebook.ts";
import { IconPhoto } from "#ui/icons/photo.ts";
import { IconTable } from "#ui/icons/table.ts";
import type { IconComponent } from "#ui/icons/icon.ts";
import type { FolderItem } from "./folder.ts";

const icons: Readonly<Record<KnownExtension, IconComponent>> = {
  csv: IconFileTypeCsv,
  tsv: IconFileTypeCsv,
  pdf: IconFileTypePdf,
  jpg: IconPhoto,
  jpeg: IconPhoto,
  png: IconPhoto,
  gif: IconPhoto,
  webp: IconPhoto,
  svg: IconPhoto,
  txt: IconFileText,
  vtt: IconFileText,
  log: IconFileText,
  xml: IconFileTypeXml,
  yaml: IconFileCode,
  yml: IconFileCode,
  json: IconJson,
  geojson: IconMap2,
  ipynb: IconNotebook,
  md: IconMarkdown,
  mp4: IconMovie,
  parquet: IconTable,
  zip: IconFileZip,
};

/** The icon of a folder, or of a file by its type. */
export function FileIcon({ item: { kind, name }, size }: { item: Pick<FolderItem, "kind" | "name">; size: number }) {
  const extension = extensionOf(name);
  const Icon = kind === "folder" ? IconFolder : Object.hasOwn(icons, extension) ? icons[extension as KnownExtension] : IconFile;
  return <Icon size={size} stroke={1.5} aria-hidden />;
}
