import { Button, Modal } from "@mantine/core";
import { useWindowEvent } from "@mantine/hooks";
import { IconArrowLeft } from "#ui/icons/arrow-left.ts";
import { IconArrowRight } from "#ui/icons/arrow-right.ts";
import { IconDownload } from "#ui/icons/download.ts";
import { IconFile } from "#ui/icons/file.ts";
import { IconInfoCircle } from "#ui/icons/info-circle.ts";
import { IconX } from "#ui/icons/x.ts";
import { type ReactNode, useState } from "react";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { localTime } from "#lib/time/local-time.ts";
import { sizeText } from "#lib/text/size-text.ts";
import { IconButton } from "#ui/icon-button.tsx";
import { useDialog } from "#ui/dialog/open-dialogs.ts";
import { ErrorState } from "#ui/states.tsx";
import { PreviewBody } from "./preview-body.tsx";
import type { PreviewFile } from "./preview-type.ts";
import classes from "./file-preview.module.css";
import { pressed } from "#ui/shortcut-keys.ts";

interface FilePreviewProps<F extends PreviewFile> {
  file: F;
  /** Why nothing is known of the file, such as its size; shown in place of its contents. */
  failure?: LookupFailure | null | undefined;
  /** The files that previous and next go through, in their order. Without them there is neither. */
  files?: readonly F[] | undefined;
  onChange?: ((file: F) => void) | undefined;
  onClose: () => void;
  /** Container of the files, for `6 of 27 in season-2005`. */
  container?: string | undefined;
  /** Before the other buttons. */
  actions?: ReactNode;
  /** More about the file, below its size. */
  details?: ReactNode;
}

export interface LookupFailure {
  error: unknown;
  onRetry: () => void;
}

/** A file over the whole screen. Left and right change the file, except in fields, tables and players. */
export function FilePreview<F extends PreviewFile>({
  file,
  failure,
  files,
  onChange,
  onClose,
  container,
  actions,
  details,
}: FilePreviewProps<F>) {
  const [showsInfo, setShowsInfo] = useState(() => globalThis.innerWidth > 720);
  const index = files?.findIndex(({ name, downloadUrl }) => name === file.name && downloadUrl === file.downloadUrl) ?? -1;
  const total = files?.length ?? 0;
  const isTraversable = onChange !== undefined && total > 1 && index >= 0;
  const step = (by: -1 | 1) => {
    const next = files?.[index + by];
    if (isTraversable && next) onChange(next);
  };
  const dialog = useDialog({ opened: true, onClose, zIndex: 250 });
  const onKeyDown = (event: KeyboardEvent) => {
    if (dialog.inert) return;
    if (event.defaultPrevented || hasOwnArrows(event.target)) return;
    const key = pressed(event, "preview.step");
    if (key === null) return;
    step(key === "ArrowLeft" ? -1 : 1);
    event.preventDefault();
  };
  useWindowEvent("keydown", onKeyDown);
  const name = file.name.slice(file.name.lastIndexOf("/") + 1);
  return (
    <Modal.Root {...dialog} padding={0} fullScreen classNames={{ content: classes["content"] ?? "" }}>
      <Modal.Overlay />
      <Modal.Content>
        <div className={classes["preview"]} data-autofocus tabIndex={-1}>
          <header className={classes["head"]}>
            <IconFile size={20} stroke={1.6} aria-hidden />
            <div className={classes["titles"]}>
              <Modal.Title className={classes["title"] ?? ""} title={file.name}>
                {name}
              </Modal.Title>
              {isTraversable && (
                <span className={classes["container"]}>{`${index + 1} of ${total}${container ? ` in ${container}` : ""}`}</span>
              )}
            </div>
            <div className={classes["tools"]}>
              {isTraversable && (
                <div className={classes["pair"]}>
                  <IconButton label="Previous file" disabled={index === 0} onClick={() => step(-1)}>
                    <IconArrowLeft size={16} aria-hidden />
                  </IconButton>
                  <IconButton label="Next file" disabled={index === total - 1} onClick={() => step(1)}>
                    <IconArrowRight size={16} aria-hidden />
                  </IconButton>
                </div>
              )}
              {actions}
              <Button
                variant={showsInfo ? "light" : "default"}
                aria-pressed={showsInfo}
                leftSection={<IconInfoCircle size={16} aria-hidden />}
                onClick={() => setShowsInfo(!showsInfo)}
              >
                File info
              </Button>
              <Button
                component="a"
                href={file.downloadUrl}
                download={name}
                variant="default"
                leftSection={<IconDownload size={16} aria-hidden />}
              >
                Download
              </Button>
            </div>
            <IconButton label="Close" onClick={onClose}>
              <IconX size={16} aria-hidden />
            </IconButton>
          </header>
          <div className={classes["body"]}>
            {failure ? (
              <ErrorState message="Error loading file" details={messagesOf(failure.error)} onRetry={failure.onRetry} />
            ) : (
              <PreviewBody key={file.downloadUrl} file={file} />
            )}
          </div>
          {showsInfo && (
            <aside className={classes["info"]} aria-label="File info">
              <dl className={classes["facts"]}>
                <dt>Size</dt>
                <dd>
                  {failure ? "Unknown" : sizeText(file.size)}
                  {file.size >= 1_000 && <span className={classes["exact"]}>{` (${file.size.toLocaleString("en-US")} bytes)`}</span>}
                </dd>
                {file.lastModified !== undefined && (
                  <>
                    <dt>Last updated</dt>
                    <dd className={classes["time"]}>{localTime(Date.parse(file.lastModified))}</dd>
                  </>
                )}
              </dl>
              {details}
            </aside>
          )}
        </div>
      </Modal.Content>
    </Modal.Root>
  );
}

/** Whether the arrow keys already mean something where the focus is. */
const hasOwnArrows = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest(
    "input, textarea, select, [contenteditable], table, [role=table], [role=grid], [role=treegrid], video, audio, [role=slider], iframe, .maplibregl-map",
  ) !== null;
