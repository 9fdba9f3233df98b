import type { AnnouncementKind, DatasetAnnouncement } from "@fairway/contract/dataset-announcements";
import { IconAlertTriangle } from "#ui/icons/alert-triangle.ts";
import { IconBell } from "#ui/icons/bell.ts";
import { IconInfoCircle } from "#ui/icons/info-circle.ts";
import type { IconComponent } from "#ui/icons/icon.ts";
import { Badge } from "#ui/badge.tsx";
import { announcementLabel, announcementLine } from "./announcement-text.ts";
import classes from "./announcements.module.css";

export const announcementIcon: Record<AnnouncementKind, IconComponent> = {
  note: IconInfoCircle,
  warning: IconAlertTriangle,
  deprecated: IconBell,
};

interface Props {
  announcement: DatasetAnnouncement | undefined;
}

/** An icon in a list of datasets, with the announcement as its name. Renders nothing without one. */
export function AnnouncementMark({ announcement }: Props) {
  if (!announcement) return null;
  const Icon = announcementIcon[announcement.kind];
  const line = announcementLine(announcement);
  return <Icon size={16} role="img" aria-label={line} title={line} className={classes["mark"] ?? ""} data-kind={announcement.kind} />;
}

/** The kind of the announcement as a badge. Renders nothing without one. */
export function AnnouncementBadge({ announcement }: Props) {
  if (!announcement) return null;
  const label = announcementLabel[announcement.kind];
  const line = announcementLine(announcement);
  return (
    <Badge icon={announcementIcon[announcement.kind]} tone={announcement.kind === "note" ? "accent" : "warning"} title={line}>
      {label}
      {line !== label && <span className="visually-hidden">{line.slice(label.length)}</span>}
    </Badge>
  );
}
