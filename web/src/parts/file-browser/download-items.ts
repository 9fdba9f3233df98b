import { apiBase } from "@fairway/contract/api";
import { filesets } from "@fairway/contract/filesets";
import { call } from "#lib/gateway/call.ts";
import { startDownload } from "#lib/browser/download.ts";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { toastError } from "#ui/toast/toast.ts";
import type { FolderItem } from "./folder.ts";
import { fileUrl } from "./queries.ts";

/** Downloads one file as it is, and everything else as one zip with a list of what was left out. */
export async function downloadItems(fileset: string, items: readonly FolderItem[]): Promise<void> {
  const [first] = items;
  if (!first) return;
  if (items.length === 1 && first.kind === "file") {
    startDownload(fileUrl(fileset, first.path));
    return;
  }
  const paths = items.map(({ kind, path }) => (kind === "folder" ? `${path}/` : path));
  try {
    const { zipUrl } = await call(filesets.requestZip, { params: { id: fileset }, body: { paths } });
    startDownload(apiBase + zipUrl);
  } catch (error) {
    toastError("Download Failed", messagesOf(error).join(" "));
  }
}
