import type { Notification } from "@fairway/contract/notifications";
import { Button, Group, Stack } from "@mantine/core";
import { IconBell } from "#ui/icons/bell.ts";
import { IconCheck } from "#ui/icons/check.ts";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { type MouseEvent, useState } from "react";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { localTime } from "#lib/time/local-time.ts";
import { browserZone } from "#lib/time/time-zone.ts";
import { markRead, notificationsQuery } from "#parts/notifications/queries.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { IconButton } from "#ui/icon-button.tsx";
import { QueryState } from "#ui/kit/query-state.tsx";
import { toastError } from "#ui/toast/toast.ts";
import classes from "./notifications.module.css";

interface Props {
  opened: boolean;
  onClose: () => void;
}

/** The user's notifications. */
export function NotificationsDialog({ opened, onClose }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Notifications" size={560} fillsPhone>
      {opened && <Notifications onClose={onClose} />}
    </Dialog>
  );
}

function Notifications({ onClose }: { onClose: () => void }) {
  const query = useInfiniteQuery(notificationsQuery);
  const { data, error, isFetchingNextPage, hasNextPage, fetchNextPage } = query;
  const { mark, isMarking } = useMark();
  const all = data?.pages.flatMap(({ notifications }) => notifications) ?? [];
  const unread = data?.pages.at(-1)?.unread ?? 0;
  return (
    <QueryState
      query={query}
      loading={{ label: "Loading the notifications", rows: 4, rowHeight: 56 }}
      failed="The notifications could not be loaded."
      empty={{ icon: <IconBell size={24} stroke={1.5} aria-hidden />, text: "You have no notifications." }}
      isEmpty={() => all.length === 0}
    >
      {() => (
        <Stack gap="md">
          <Group gap="sm" justify="space-between" c="dimmed" fz="xs">
            <p role="status">{`${unread === 0 ? "None" : unread.toLocaleString("en-US")} unread. Times in ${browserZone()}`}</p>
            <Button variant="default" size="compact-sm" disabled={unread === 0 || isMarking} onClick={() => void mark("all")}>
              Mark all as read
            </Button>
          </Group>
          <ul className={classes["list"]} aria-label="Notifications">
            {all.map((one) => (
              <Item key={one.id} notification={one} onRead={() => void mark([one.id])} onClose={onClose} />
            ))}
          </ul>
          {error && <p role="alert">{`Older notifications could not be loaded. ${messagesOf(error).join(" ")}`}</p>}
          {hasNextPage && (
            <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              Show older
            </Button>
          )}
        </Stack>
      )}
    </QueryState>
  );
}

function useMark() {
  const [isMarking, setMarking] = useState(false);
  const mark = async (ids: readonly string[] | "all") => {
    setMarking(true);
    try {
      await markRead(ids);
    } catch (error) {
      toastError("The notifications could not be marked as read", messagesOf(error).join(" "));
    }
    setMarking(false);
  };
  return { mark, isMarking };
}

interface ItemProps {
  notification: Notification;
  onRead: () => void;
  onClose: () => void;
}

function Item({ notification: { title, text, link, isRead, createdDateMs }, onRead, onClose }: ItemProps) {
  const { history } = useRouter();
  const queries = useQueryClient();
  const follow = (event: MouseEvent) => {
    if (!isRead) onRead();
    if (link === null || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onClose();
    // The screen that is open already does not know yet what the notification reports.
    if (history.location.pathname === link) void queries.invalidateQueries();
    history.push(link);
  };
  return (
    <li className={classes["item"]} data-unread={!isRead || undefined}>
      <div>
        <h3>
          {!isRead && <span className={classes["unread"]}>Unread: </span>}
          {link === null || !isPath(link) ? (
            title
          ) : (
            <a href={history.createHref(link)} onClick={follow}>
              {title}
            </a>
          )}
        </h3>
        {text !== "" && <p className={classes["text"]}>{text}</p>}
        <time dateTime={new Date(createdDateMs).toISOString()}>{localTime(createdDateMs)}</time>
      </div>
      {!isRead && (
        <IconButton label={`Mark as read: ${title}`} onClick={onRead}>
          <IconCheck size={16} aria-hidden />
        </IconButton>
      )}
    </li>
  );
}

/** Links stay within the web app. */
const isPath = (link: string): boolean => /^\/(?![/\\])/.test(link);
