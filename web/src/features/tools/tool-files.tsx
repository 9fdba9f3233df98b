import { apiBase } from "@fairway/contract/api";
import type { Tool } from "@fairway/contract/tools";
import { Button } from "@mantine/core";
import { IconCopy } from "#ui/icons/copy.ts";
import { IconDownload } from "#ui/icons/download.ts";
import { copyText } from "#lib/text/copy.ts";
import { sizeText } from "#lib/text/size-text.ts";
import { IconButton } from "#ui/icon-button.tsx";
import { toastSuccess } from "#ui/toast/toast.ts";
import classes from "./tools.module.css";

/** The downloads of a tool. */
export function ToolFiles({ files }: { files: Tool["files"] }) {
  return (
    <section aria-labelledby="downloads" className={classes["section"]}>
      <h2 id="downloads">Downloads</h2>
      <ul className={classes["files"]}>
        {files.map((file) => (
          <li key={file.filename}>
            <ToolFile file={file} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function ToolFile({ file: { filename, url, size, sha256, description } }: { file: Tool["files"][number] }) {
  const copySum = async () => {
    if (await copyText(sha256)) toastSuccess("Copied", 1200);
  };
  return (
    <>
      <div className={classes["name"]}>
        <b>{filename}</b>
        <small>{sizeText(size)}</small>
      </div>
      {description !== "" && <p>{description}</p>}
      <div className={classes["sum"]}>
        <span>SHA-256</span>
        <code>{sha256}</code>
        <IconButton label={`Copy SHA-256 of ${filename}`} onClick={() => void copySum()}>
          <IconCopy size={16} aria-hidden />
        </IconButton>
      </div>
      <Button
        component="a"
        href={`${apiBase}${url}`}
        download={filename}
        className={classes["download"] ?? ""}
        leftSection={<IconDownload size={16} aria-hidden />}
        aria-label={`Download ${filename}`}
      >
        Download
      </Button>
    </>
  );
}
