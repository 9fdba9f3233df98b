import type { FlowComment, FlowEvent } from "@fairway/contract/flow-requests";
import { IconArrowBackUp } from "#ui/icons/arrow-back-up.ts";
import { IconBan } from "#ui/icons/ban.ts";
import { IconCheck } from "#ui/icons/check.ts";
import { IconEye } from "#ui/icons/eye.ts";
import { IconFilePlus } from "#ui/icons/file-plus.ts";
import { IconGitPullRequest } from "#ui/icons/git-pull-request.ts";
import { IconRocket } from "#ui/icons/rocket.ts";
import { IconSend } from "#ui/icons/send.ts";
import type { IconComponent } from "#ui/icons/icon.ts";
import { useEffect, useMemo, useRef } from "react";
import { rangeWith, useVirtualList } from "#ui/kit/use-virtual-list.ts";
import { FlowTime } from "../flow-time.tsx";
import { CommentItem } from "./comment-item.tsx";
import { CommentSubject } from "./comment-subject.tsx";
import { useRequest } from "./request-context.ts";
import { eventText, type TimelineItem, timelineItems } from "./timeline-items.ts";
import classes from "./request.module.css";

const icons: Record<FlowEvent["kind"], IconComponent> = {
  created: IconGitPullRequest,
  iteration: IconFilePlus,
  submitted: IconSend,
  rejected: IconArrowBackUp,
  accepted: IconCheck,
  abandoned: IconBan,
  reviewer: IconEye,
  deployed: IconRocket,
};

const itemPx = 72;
/** Nearer to its end than this, the timeline stays at its end when something is added. */
const endPx = 40;

interface Props {
  comments: readonly FlowComment[];
  events: readonly FlowEvent[];
}

/** Comments and events, oldest first, as virtual rows of different heights. Opens at its end, where the newest are. */
export function Timeline({ comments, events }: Props) {
  const items = useMemo(() => timelineItems(comments, events), [comments, events]);
  const focused = useRef<number | null>(null);
  const { scroller, virtualizer } = useVirtualList({
    count: items.length,
    getItemKey: (index) => items[index]?.key ?? index,
    estimateSize: () => itemPx,
    overscan: 4,
    // The focused item, such as a comment that is being edited, stays on the page.
    rangeExtractor: (range) => rangeWith(focused.current ?? -1, range),
  });
  const isAtEnd = useRef(true);
  useEffect(() => {
    if (isAtEnd.current && items.length > 0) virtualizer.scrollToIndex(items.length - 1, { align: "end" });
  }, [items.length, virtualizer]);
  return (
    <div
      ref={scroller}
      className={classes["scroll"]}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < endPx;
      }}
    >
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- tells which item has the focus */}
      <ul
        className={classes["timeline"]}
        aria-label="Timeline"
        style={{ height: virtualizer.getTotalSize() }}
        onFocus={({ target }) => {
          focused.current = Number(target.closest<HTMLElement>("[data-index]")?.dataset["index"] ?? Number.NaN);
        }}
        onBlur={() => {
          focused.current = null;
        }}
      >
        {virtualizer.getVirtualItems().map(({ index, key, start }) => {
          const item = items[index];
          return (
            item && (
              <li
                key={key}
                data-index={index}
                aria-setsize={items.length}
                aria-posinset={index + 1}
                ref={virtualizer.measureElement}
                style={{ transform: `translateY(${start}px)` }}
              >
                <Item item={item} />
              </li>
            )
          );
        })}
      </ul>
    </div>
  );
}

function Item({ item: { comment, event } }: { item: TimelineItem }) {
  const { request, iterations } = useRequest();
  if (comment) return <CommentItem comment={comment} subject={<CommentSubject comment={comment} />} />;
  const Icon = icons[event.kind];
  const iteration = iterations.find(({ id }) => id === event.iterationId);
  const reason = event.kind === "created" ? request.reason : event.kind === "iteration" ? (iteration?.reason ?? "") : "";
  return (
    <p className={classes["event"]}>
      <Icon size={14} aria-hidden />
      <span>
        {eventText(event, iteration?.number)}, <FlowTime epochMs={event.timeMs} />
        {reason !== "" && <q className={classes["commentsReason"]}>{reason}</q>}
      </span>
    </p>
  );
}
