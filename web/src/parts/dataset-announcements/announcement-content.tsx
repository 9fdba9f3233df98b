import type { DatasetAnnouncement } from "@fairway/contract/dataset-announcements";
import { IconX } from "#ui/icons/x.ts";
import { Link } from "@tanstack/react-router";
import { utcText } from "@fairway/contract/utc-texts";
import { Markdown } from "#parts/markdown/markdown.tsx";
import { IconButton } from "#ui/icon-button.tsx";
import { announcementIcon } from "./announcement-mark.tsx";
import { announcementLabel } from "./announcement-text.ts";
import classes from "./announcements.module.css";

interface Props {
  announcement: DatasetAnnouncement;
  opens: "schema" | "search";
  onDismiss: () => void;
}

/** The banner of an announcement: kind, text, replacement, who announced it and when. */
export default function AnnouncementContent({ announcement, opens, onDismiss }: Props) {
  const { kind, text, replacement, username, savedMs } = announcement;
  const Icon = announcementIcon[kind];
  const hasMore = text.trim() !== "" || replacement !== null;
  return (
    <section aria-label="Announcement" className={classes["banner"]} data-kind={kind}>
      <Icon size={16} stroke={1.75} aria-hidden />
      <div className={classes["text"]}>
        <strong>{hasMore ? `${announcementLabel[kind]}: ` : announcementLabel[kind]}</strong>
        <Markdown text={text} />
        {replacement && (
          <span>
            {" Use "}
            {opens === "schema" ? (
              <Link to="/data-catalog/$datasetCategory/$datasetId" params={replacement}>
                {replacement.datasetId}
              </Link>
            ) : (
              <Link to="/search" search={{ category: replacement.datasetCategory, dataset: replacement.datasetId }}>
                {replacement.datasetId}
              </Link>
            )}
            {" instead."}
          </span>
        )}
      </div>
      <p className={classes["who"]}>{`${username}, ${utcText(savedMs)?.split(",")[0] ?? ""}`}</p>
      <IconButton
        label="Dismiss"
        className={classes["dismiss"] ?? ""}
        onClick={(event) => {
          // The button disappears, and the focus must not be lost with it.
          event.currentTarget.closest("main")?.querySelector<HTMLElement>("h1")?.focus();
          onDismiss();
        }}
      >
        <IconX size={16} aria-hidden />
      </IconButton>
    </section>
  );
}
