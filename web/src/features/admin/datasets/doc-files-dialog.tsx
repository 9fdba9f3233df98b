import { docAdministration, type DocFileType, docFileTypes, videoCategory } from "@fairway/contract/docs";
import { Button, FileButton, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { call } from "#lib/gateway/call.ts";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { localTime } from "#lib/time/local-time.ts";
import { browserZone } from "#lib/time/time-zone.ts";
import { queryClient } from "#lib/gateway/query-client.ts";
import { sizeText } from "#lib/text/size-text.ts";
import { uploadContent } from "#lib/gateway/upload.ts";
import { docsQuery } from "#parts/help/docs-query.ts";
import { confirm } from "#ui/dialog/confirm.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { QueryState } from "#ui/kit/query-state.tsx";
import { toastError, toastSuccess } from "#ui/toast/toast.ts";
import type { EntityDialogProps, RowDialog } from "../entities/entity-dialog.ts";
import { displayNameOf } from "../entities/entity-kind.ts";
import classes from "./datasets.module.css";

const labels: Record<DocFileType, { title: string; hint: string; accept: string }> = {
  object: { title: "Content", hint: "The file itself. It must match the doc's category.", accept: "" },
  preview: {
    title: "Preview image",
    hint: "Shown on the card of a video: PNG, JPEG, GIF or WebP, up to 10 MB.",
    accept: "image/png,image/jpeg,image/gif,image/webp",
  },
  captions: { title: "Captions", hint: "For a video, as a WebVTT file.", accept: ".vtt,text/vtt" },
};

/** The content, preview image and captions of a doc. */
export default function DocFilesDialog({ kind, dialog: { id, entity }, opened, onClose }: EntityDialogProps<RowDialog>) {
  const files = useQuery({
    queryKey: ["admin", kind.type, "files", id],
    queryFn: ({ signal }) => call(docAdministration.files, { params: { docId: id } }, { signal }),
    staleTime: 0,
    gcTime: 0,
  });
  const category = typeof entity["category"] === "string" ? entity["category"] : "";
  const onChanged = async () => {
    await files.refetch();
    // The menu shows Tutorial Videos once there is one.
    await queryClient.invalidateQueries({ queryKey: docsQuery.queryKey });
  };
  return (
    <Dialog opened={opened} onClose={onClose} title={`Files of ${displayNameOf(kind, entity)}`} size={640} fillsPhone>
      <QueryState query={files} loading={{ label: "Loading files", rows: 3, rowHeight: 64 }} failed="The files could not be loaded.">
        {(data) => (
          <>
            <Text size="xs" mb="sm" c="dimmed">{`Times in ${browserZone()}`}</Text>
            <ul className={classes["files"]}>
              {docFileTypes.map((type) => (
                <DocFile
                  key={type}
                  docId={id}
                  type={type}
                  accept={type === "object" ? category : labels[type].accept}
                  isUseful={type !== "captions" || category === videoCategory}
                  stored={data.files.find((file) => file.type === type)}
                  onChanged={onChanged}
                />
              ))}
            </ul>
          </>
        )}
      </QueryState>
    </Dialog>
  );
}

interface DocFileProps {
  docId: string;
  type: DocFileType;
  accept: string;
  isUseful: boolean;
  stored: { size: number; lastModified: string } | undefined;
  onChanged: () => Promise<void>;
}

function DocFile({ docId, type, accept, isUseful, stored, onChanged }: DocFileProps) {
  const [percent, setPercent] = useState<number | null>(null);
  const uploading = useRef<AbortController>(undefined);
  useEffect(() => () => uploading.current?.abort(), []);
  const { title, hint } = labels[type];
  if (!isUseful && stored === undefined) return null;

  const send = async (file: File | null) => {
    if (!file) return;
    const controller = new AbortController();
    uploading.current = controller;
    setPercent(0);
    try {
      const params = { docId, type };
      await uploadContent(docAdministration.upload, params, file, { onPercent: setPercent, signal: controller.signal });
      await onChanged();
      toastSuccess(`${title} stored`, 2000);
    } catch (error) {
      if (!controller.signal.aborted) toastError("Upload Failed", messagesOf(error).join(" "));
    } finally {
      setPercent(null);
    }
  };
  const remove = async () => {
    const confirmed = await confirm({
      title: `Delete the ${title.toLowerCase()}?`,
      text: "This deletes the file for everyone, immediately.",
      confirmLabel: "Delete",
      destructive: true,
    });
    if (!confirmed) return;
    try {
      await call(docAdministration.remove, { params: { docId, type } });
      await onChanged();
    } catch (error) {
      toastError("Failed to Delete", messagesOf(error).join(" "));
    }
  };

  return (
    <li>
      <div className={classes["about"]}>
        <b>{title}</b>
        <span>{stored ? `${sizeText(stored.size)}, ${localTime(Date.parse(stored.lastModified))}` : hint}</span>
      </div>
      {percent === null ? (
        <Group gap="sm" wrap="nowrap">
          <FileButton accept={accept} inputProps={{ "aria-label": `${title} file` }} onChange={(file) => void send(file)}>
            {(props) => (
              <Button {...props} variant="default" aria-label={`${stored ? "Replace" : "Upload"} ${title.toLowerCase()}`}>
                {stored ? "Replace" : "Upload"}
              </Button>
            )}
          </FileButton>
          {stored && (
            <Button variant="default" aria-label={`Delete ${title.toLowerCase()}`} onClick={() => void remove()}>
              Delete
            </Button>
          )}
        </Group>
      ) : (
        <Group gap="sm" wrap="nowrap">
          <output>{`${percent}%`}</output>
          <Button
            variant="default"
            aria-label={`Cancel the upload of the ${title.toLowerCase()}`}
            onClick={() => uploading.current?.abort()}
          >
            Cancel
          </Button>
        </Group>
      )}
    </li>
  );
}
