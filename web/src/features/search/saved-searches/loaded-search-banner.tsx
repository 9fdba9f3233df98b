import { formatList } from "@fairway/contract/counts";
import { IconAlertTriangle } from "#ui/icons/alert-triangle.ts";
import { IconBookmark } from "#ui/icons/bookmark.ts";
import { IconX } from "#ui/icons/x.ts";
import { IconButton } from "#ui/icon-button.tsx";
import type { LoadedView } from "#features/search/search-form/form-store.ts";
import classes from "./saved-searches.module.css";

/** Banner above the filters: the saved search they came from, what the dataset no longer has, and which display settings apply. */
export function LoadedSearchBanner({ loaded, onForget }: { loaded: LoadedView; onForget: () => void }) {
  const { name, columns, sort, mode, leftOut } = loaded;
  const shown = [columns && "its columns", sort.length > 0 && "its order", mode && `its view (${mode})`].filter(
    (part) => typeof part === "string",
  );
  return (
    <div role="status" className={classes["loaded"]}>
      <IconBookmark size={16} aria-hidden />
      <div>
        <p>
          From the saved search <b>{name}</b>
          {shown.length > 0 && `. The results show ${formatList(shown)}.`}
        </p>
        {leftOut.length > 0 && (
          <p className={classes["leftOut"]}>
            <IconAlertTriangle size={14} aria-hidden />
            <span>{`Left out because the dataset no longer has it: ${leftOut.join(", ")}`}</span>
          </p>
        )}
      </div>
      <IconButton label={`Detach from ${name}`} onClick={onForget}>
        <IconX size={16} aria-hidden />
      </IconButton>
    </div>
  );
}
