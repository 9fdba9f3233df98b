import { type FeedbackAttachment, attachmentEndings, feedback, feedbackLimits } from "@fairway/contract/feedback";
import { Button, Progress } from "@mantine/core";
import { IconPaperclip } from "#ui/icons/paperclip.ts";
import { IconTrash } from "#ui/icons/trash.ts";
import { useEffect, useRef, useState } from "react";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { logFailure } from "#lib/browser/log.ts";
import { upload } from "#lib/gateway/upload.ts";
import { confirm } from "#ui/dialog/confirm.ts";
import { IconButton } from "#ui/icon-button.tsx";
import { toastError } from "#ui/toast/toast.ts";
import uiClasses from "#ui/ui.module.css";
import classes from "./feedback.module.css";

/** The state of an upload; back to `initial` two seconds after it ended. */
type UploadState =
  | { phase: "initial" }
  | { phase: "saving"; percent: number }
  | { phase: "success" }
  | { phase: "failed"; reasons: readonly string[] };

const resetMs = 2_000;
const initial: UploadState = { phase: "initial" };

interface Props {
  attachments: readonly FeedbackAttachment[];
  disabled: boolean;
  /** The form must not be submitted during an upload. */
  onUploading: (uploading: boolean) => void;
  onAdd: (attachment: FeedbackAttachment) => void;
  onRemove: (id: string) => void;
}

/** Up to three files, uploaded one at a time when selected. */
export function AttachmentField({ attachments, disabled, onUploading, onAdd, onRemove }: Props) {
  const [state, setState] = useState<UploadState>(initial);
  const input = useRef<HTMLInputElement>(null);
  const unmounting = useRef<AbortController | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    unmounting.current = controller;
    return () => controller.abort();
  }, []);
  useEffect(() => {
    const timer = state.phase === "success" || state.phase === "failed" ? setTimeout(() => setState(initial), resetMs) : undefined;
    return () => clearTimeout(timer);
  }, [state]);

  async function send(files: FileList | null): Promise<void> {
    const file = files?.[0];
    const signal = unmounting.current?.signal;
    if (!file || files.length !== 1 || !signal) return;
    if (file.size > feedbackLimits.attachmentBytes) {
      toastError("Large File", `The file "${file.name}" is too large, files must be under 10MB.`);
      return;
    }
    setState({ phase: "saving", percent: 0 });
    onUploading(true);
    try {
      const added = await upload(feedback.upload, file, { signal, onPercent: (percent) => setState({ phase: "saving", percent }) });
      setState({ phase: "success" });
      onAdd(added);
    } catch (error) {
      if (signal.aborted) return;
      logFailure("The attachment could not be uploaded", error);
      setState({ phase: "failed", reasons: messagesOf(error) });
    }
    onUploading(false);
  }

  async function remove({ id, filename }: FeedbackAttachment): Promise<void> {
    const confirmed = await confirm({
      title: "Remove Attachment?",
      text: `"${filename}" will not be sent.`,
      confirmLabel: "Remove",
      destructive: true,
    });
    if (confirmed) onRemove(id);
  }

  return (
    <fieldset className={`${uiClasses["fieldGroup"]} ${classes["attachments"]}`}>
      <legend>Attachments</legend>
      {attachments.length > 0 && (
        <ul aria-label="Attachments">
          {attachments.map((attachment) => (
            <li key={attachment.id}>
              <IconPaperclip size={16} aria-hidden />
              <span>{attachment.filename}</span>
              <IconButton label={`Remove ${attachment.filename}`} disabled={disabled} onClick={() => void remove(attachment)}>
                <IconTrash size={16} aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      {attachments.length < feedbackLimits.attachments && (
        <div>
          <input
            ref={input}
            type="file"
            className="visually-hidden"
            tabIndex={-1}
            aria-label="Attachment"
            accept={attachmentEndings.map((ending) => `.${ending}`).join(",")}
            onChange={(event) => {
              const { files } = event.currentTarget;
              void send(files);
              // Reset the input, so the same file can be selected again.
              event.currentTarget.value = "";
            }}
          />
          <Button
            variant="default"
            leftSection={<IconPaperclip size={16} aria-hidden />}
            disabled={disabled || state.phase === "saving"}
            onClick={() => input.current?.click()}
          >
            Add Attachment
          </Button>
          <small>At most {feedbackLimits.attachments} files, each under 10MB.</small>
        </div>
      )}
      <UploadProgress state={state} />
    </fieldset>
  );
}

function UploadProgress({ state }: { state: UploadState }) {
  return (
    <div role="status" className={classes["upload"]} data-phase={state.phase}>
      {state.phase === "saving" && (
        <>
          <Progress value={state.percent} aria-label="Upload" />
          <span>{`Uploading, ${state.percent}%`}</span>
        </>
      )}
      {state.phase === "success" && <span>File successfully uploaded!</span>}
      {state.phase === "failed" && (
        <span className={classes["problem"]}>
          <span>File failed to upload.</span> <small>{state.reasons.join(" ")}</small>
        </span>
      )}
    </div>
  );
}
