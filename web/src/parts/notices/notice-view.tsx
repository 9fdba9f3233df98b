import type { Notice } from "@fairway/contract/notices";
import { Flex } from "@mantine/core";
import type { ElementType } from "react";
import { localTime } from "#lib/time/local-time.ts";
import { Markdown } from "#parts/markdown/markdown.tsx";
import { NoticeIcon } from "./notice-icon.tsx";
import classes from "./notice-view.module.css";

/** Null when no label is needed. An unknown severity (from a newer server) is its own label. */
function severityLabel(severity: Notice["severity"]): string | null {
  if (severity === "info") return null;
  const [first = "", ...rest] = severity;
  return first.toUpperCase() + rest.join("");
}

/** One notice: icon, title, creation time and message. */
export function NoticeView({ notice, heading: Heading = "h2" }: { notice: Notice; heading?: ElementType }) {
  const { title, message, faIcon, severity, createdDateMs } = notice;
  const label = severityLabel(severity);
  return (
    <Flex component="article" gap="lg" direction="column" miw={0} aria-label={title}>
      <header className={classes["head"]} data-severity={severity}>
        <NoticeIcon name={faIcon} size={24} />
        <div>
          <Heading className={classes["title"]}>{title}</Heading>
          <p className={classes["time"]}>
            {label !== null && <strong>{label}</strong>}
            {localTime(createdDateMs)}
          </p>
        </div>
      </header>
      <Markdown text={message} />
    </Flex>
  );
}
