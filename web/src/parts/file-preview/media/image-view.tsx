import { fileTypeOf } from "@fairway/contract/file-types";
import { useEffect, useState } from "react";
import { LoadingRows } from "#ui/states.tsx";
import { decodeText } from "../text/decode-text.ts";
import { imageSize } from "./image-size.ts";
import { pixelProblem, svgProblem } from "./image-problem.ts";
import { loadBytes } from "../load-file.ts";
import { partNote } from "../part-note.ts";
import { otherLimitBytes, type PreviewFile, type ViewProps } from "../preview-type.ts";
import { TooMuchToShow } from "../too-much-to-show.ts";
import { useFile } from "../use-file.ts";
import { ViewFrame } from "../view-frame.tsx";
import classes from "../file-preview.module.css";

/** A decoded image takes 4 bytes per pixel, however small its file. */
const maxPixels = 100_000_000;
const headerBytes = 262_144;

/** An image, SVG included: as an image it runs no script and loads nothing. */
export function ImageView(props: ViewProps) {
  const url = useFile(props, loadImage);
  const [summary, setSummary] = useState("");
  useEffect(() => (url === null ? undefined : () => URL.revokeObjectURL(url)), [url]);
  if (url === null) return <LoadingRows label="Loading preview" />;
  const name = props.file.name.slice(props.file.name.lastIndexOf("/") + 1);
  return (
    <ViewFrame summary={summary} note={partNote(props.file, otherLimitBytes)}>
      <div className={classes["well"]}>
        <img
          src={url}
          alt={name}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => setSummary(`${naturalWidth} × ${naturalHeight} pixels`)}
          onError={() => props.onFailed(new Error("This browser can't show the image."))}
        />
      </div>
    </ViewFrame>
  );
}

/** Reads the header first: an image of too many pixels, or of an unknown number, is never decoded. */
async function loadImage(file: PreviewFile, signal: AbortSignal): Promise<string> {
  const { mediaType } = fileTypeOf(file.name);
  const isDrawing = mediaType === "image/svg+xml";
  const header = await loadBytes(file, signal, { end: Math.min(file.size, headerBytes) });
  if (imageSize(header)) refuse(header);
  // Browsers draw as much of a cut image as they can.
  const bytes = header.byteLength >= file.size ? header : await loadBytes(file, signal, { end: Math.min(file.size, otherLimitBytes) });
  if (isDrawing) {
    const problem = svgProblem(decodeText(bytes));
    if (problem !== null) throw new TooMuchToShow(problem);
  } else refuse(bytes);
  return URL.createObjectURL(new Blob([bytes], { type: mediaType }));
}

function refuse(bytes: ArrayBuffer): void {
  const problem = pixelProblem(bytes, maxPixels);
  if (problem !== null) throw imageSize(bytes) ? new TooMuchToShow(problem) : new Error(problem);
}
