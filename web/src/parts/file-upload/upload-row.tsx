import { fileTypeOf, type PreviewKind } from "@fairway/contract/file-types";
import { Progress } from "@mantine/core";
import { IconAlertCircle } from "#ui/icons/alert-circle.ts";
import { IconCircleCheck } from "#ui/icons/circle-check.ts";
import { IconFile } from "#ui/icons/file.ts";
import { IconFileText } from "#ui/icons/file-text.ts";
import { IconFileTypeCsv } from "#ui/icons/file-type-csv.ts";
import { IconFileTypePdf } from "#ui/icons/file-type-pdf.ts";
import { IconJson } from "#ui/icons/json.ts";
import { IconMovie } from "#ui/icons/movie.ts";
import { IconNotebook } from "#ui/icons/notebook.ts";
import { IconPhoto } from "#ui/icons/photo.ts";
import { IconRefresh } from "#ui/icons/refresh.ts";
import { IconX } from "#ui/icons/x.ts";
import { memo } from "react";
import { sizeText } from "#lib/text/size-text.ts";
import { IconButton } from "#ui/icon-button.tsx";
import { isActive, type Upload, type UploadQueue, type UploadState } from "./upload-queue.ts";
import classes from "./upload-dialog.module.css";

const icons: Partial<Record<PreviewKind, typeof IconFile>> = {
  csv: IconFileTypeCsv,
  pdf: IconFileTypePdf,
  image: IconPhoto,
  text: IconFileText,
  markdown: IconFileText,
  json: IconJson,
  geojson: IconJson,
  notebook: IconNotebook,
  video: IconMovie,
};

/** One file of the dialog. */
export const UploadRow = memo(function UploadRow({ upload, queue }: { upload: Upload; queue: UploadQueue }) {
  const { name, size, state } = upload;
  const preview = fileTypeOf(name).preview;
  const Icon = (preview === null ? undefined : icons[preview]) ?? IconFile;
  return (
    <li className={classes["row"]} data-phase={state.phase}>
      <Icon size={18} stroke={1.5} aria-hidden />
      <span className={classes["name"]}>
        {name} {size !== null && <small>{sizeText(size)}</small>}
      </span>
      <span className={classes["state"]}>
        {state.phase === "completed" && <IconCircleCheck size={16} aria-hidden />}
        {state.phase === "failed" && <IconAlertCircle size={16} aria-hidden />}
        {stateText(state)}
      </span>
      <span className={classes["action"]}>
        <RowAction upload={upload} queue={queue} />
      </span>
      {state.phase === "sending" && (
        <Progress className={classes["bar"] ?? ""} size={4} value={state.percent} aria-label={`Upload of ${name}`} />
      )}
      {state.phase === "failed" && state.reasons.length > 0 && <p className={classes["reason"]}>{state.reasons.join(" ")}</p>}
    </li>
  );
});

/** One button, which keeps the focus when what it does changes. */
function RowAction({ upload, queue }: { upload: Upload; queue: UploadQueue }) {
  const { id, name, state } = upload;
  if (isActive(upload)) {
    return (
      <IconButton label={`Cancel ${name}`} onClick={() => queue.cancel(id)}>
        <IconX size={16} aria-hidden />
      </IconButton>
    );
  }
  if (state.phase === "completed" || (state.phase === "failed" && !state.canRetry)) return null;
  return (
    <IconButton label={`${state.phase === "kept" ? "Replace" : "Retry"} ${name}`} onClick={() => queue.retry(id)}>
      <IconRefresh size={16} aria-hidden />
    </IconButton>
  );
}

const stateTexts = {
  preparing: "Preparing...",
  asking: "Exists already",
  scanning: "Scanning...",
  completed: "Completed",
  failed: "Error Uploading",
  kept: "Not replaced",
  cancelled: "Canceled",
} as const;

function stateText(state: UploadState): string {
  if (state.phase !== "sending") return stateTexts[state.phase];
  return state.isDisconnected ? `${state.percent}%, waiting for the connection` : `${state.percent}%`;
}
