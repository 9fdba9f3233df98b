import type { DatasetRef } from "@fairway/contract/datasets";
import { IconLink } from "#ui/icons/link.ts";
import { copyText } from "#lib/text/copy.ts";
import { IconButton } from "#ui/icon-button.tsx";
import { toastSuccess } from "#ui/toast/toast.ts";
import { schemaUrl } from "../facts/schema-url.ts";
import classes from "./schema.module.css";

/** Copies a link that opens the schema at this column. */
export function ColumnLink({ dataset, name }: { dataset: DatasetRef; name: string }) {
  const copy = async () => {
    if (await copyText(schemaUrl(dataset, name))) toastSuccess("Copied", 1200);
  };
  return (
    <IconButton label={`Copy link to ${name}`} className={classes["link"]} onClick={() => void copy()}>
      <IconLink size={16} aria-hidden />
    </IconButton>
  );
}
