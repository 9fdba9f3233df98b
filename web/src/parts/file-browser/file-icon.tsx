import { extensionOf, type KnownExtension } from "@fairway/contract/file-types";
import {
  IconFile,
  IconFileCode,
  IconFileText,
  IconFileTypeCsv,
  IconFileTypePdf,
  IconFileTypeXml,
  IconFileZip,
  IconFolder,
  IconJson,
  IconMap2,
  IconMarkdown,
  IconMovie,
  IconNotebook,
  IconPhoto,
  IconTable,
  type TablerIcon,
} from "@tabler/icons-react";
import type { FolderItem } from "./folder.ts";

const icons: Readonly<Record<KnownExtension, TablerIcon>> = {
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
