import type { ViewProps } from "../preview-type.ts";
import classes from "../file-preview.module.css";

/** A video, which the browser reads by ranges with the session's cookie. */
export function VideoView({ file, onFailed }: ViewProps) {
  return (
    <div className={classes["well"]}>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- files of a fileset have no captions */}
      <video
        src={file.downloadUrl}
        controls
        aria-label={file.name}
        onError={() => onFailed(new Error("This browser can't play the video."))}
      />
    </div>
  );
}
