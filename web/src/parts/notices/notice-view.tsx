import type { Notice } from "@fairway/contract/notices";
import type { ElementType } from "react";
import { localTime } from "#lib/local-time.ts";
import { Markdown } from "#parts/markdown/markdown.tsx";
import { NoticeIcon } from "./notice-icon.tsx";
import classes from "./notice-view.module.css";

/** Null: none is needed. A severity that only a newer server knows is its own word. */
function severityWord(severity: Notice["severity"]): string | null {
  if (severity === "info") return null;
  const [first = "", ...rest] = severity;
  return first.toUpperCase() + rest.join("");
}

/** One notice: icon, title, when it was made, and its message. */
export function NoticeView({ notice, heading: Heading = "h2" }: { notice: Notice; heading?: ElementType }) {
  const { title, message, faIcon, severity, createdDateMs } = notice;
  const word = severityWord(severity);
  return (
    <article className={classes["notice"]} aria-label={title}>
      <header className={classes["head"]} data-severity={severity}>
        <NoticeIcon name={faIcon} size={24} />
        <div>
          <Heading className={classes["title"]}>{title}</Heading>
          <p className={classes["time"]}>
            {word !== null && <strong>{word}</strong>}
            {localTime(createdDateMs)}
          </p>
        </div>
      </header>
      <Markdown text={message} />
    </article>
  );
}
