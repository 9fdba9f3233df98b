import { filesets } from "@fairway/contract/filesets";
import { useQuery } from "@tanstack/react-query";
import { call, urlOf } from "#lib/gateway/call.ts";
import { usePortalSettings } from "#lib/gateway/portal-settings.ts";
import { FilePreview } from "#parts/file-preview/file-preview.tsx";
import { closeHelpFile, type HelpFile } from "./help-file.ts";

/** A supplemental help file over the whole screen. */
export default function HelpFilePreview({ file: { name } }: { file: HelpFile }) {
  const { helpFilesetId } = usePortalSettings();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ["help-file", helpFilesetId, name],
    queryFn: ({ signal }) => call(filesets.file, { params: { id: helpFilesetId }, query: { file: name } }, { signal }),
    retry: false,
  });
  if (isPending) return null;
  const { size = 0, lastModified } = data ?? {};
  const downloadUrl = urlOf(filesets.download, { id: helpFilesetId }, { file: name });
  const failure = error && { error, onRetry: () => void refetch() };
  return <FilePreview file={{ name, size, lastModified, downloadUrl }} failure={failure} onClose={closeHelpFile} />;
}
