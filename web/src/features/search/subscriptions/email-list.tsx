import type { Subscription } from "@fairway/contract/subscriptions";
import { Menu } from "@mantine/core";
import { IconCheck } from "#ui/icons/check.ts";
import { IconDots } from "#ui/icons/dots.ts";
import { IconExternalLink } from "#ui/icons/external-link.ts";
import { IconHistory } from "#ui/icons/history.ts";
import { IconMail } from "#ui/icons/mail.ts";
import { IconPencil } from "#ui/icons/pencil.ts";
import { IconPlayerPause } from "#ui/icons/player-pause.ts";
import { IconTrash } from "#ui/icons/trash.ts";
import { useRouter } from "@tanstack/react-router";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { localTime } from "#lib/time/local-time.ts";
import { Badge } from "#ui/badge.tsx";
import { confirm } from "#ui/dialog/confirm.ts";
import { IconButton } from "#ui/icon-button.tsx";
import { RelativeTime } from "#ui/relative-time.tsx";
import { toastError, toastSuccess } from "#ui/toast/toast.ts";
import { removeSubscription, sendSubscription } from "./queries.ts";
import { subscriptionSentence } from "./subscription-text.ts";
import classes from "#features/search/alerts/alerts.module.css";

interface Actions {
  onEdit: (subscription: Subscription) => void;
  onDeliveries: (subscription: Subscription) => void;
}

export function EmailList({ subscriptions, ...actions }: { subscriptions: readonly Subscription[] } & Actions) {
  return (
    <div className={classes["list"]}>
      <ul aria-label="Emails">
        {subscriptions.map((subscription) => (
          <EmailItem key={subscription.id} subscription={subscription} {...actions} />
        ))}
      </ul>
    </div>
  );
}

function EmailItem({ subscription, ...actions }: { subscription: Subscription } & Actions) {
  const { name, state, reason, lastSentMs } = subscription;
  const isPaused = state === "paused";
  return (
    <li>
      <div>
        <Badge icon={isPaused ? IconPlayerPause : IconCheck} tone={isPaused ? "warning" : "neutral"}>
          {isPaused ? "Paused" : "Active"}
        </Badge>
      </div>
      <div className={classes["about"]}>
        <h2>
          <button type="button" aria-haspopup="dialog" onClick={() => actions.onDeliveries(subscription)}>
            {name}
          </button>
        </h2>
        <p>{subscriptionSentence(subscription)}</p>
        {reason !== "" && <p className={classes["reason"]}>{reason}</p>}
      </div>
      <dl className={classes["checked"]}>
        <div>
          <dt>Last sent</dt>
          <dd>{lastSentMs === null ? "Never" : <RelativeTime epochMs={lastSentMs} />}</dd>
        </div>
        <div>
          <dt>Next</dt>
          <dd>{nextText(subscription)}</dd>
        </div>
      </dl>
      <EmailMenu subscription={subscription} {...actions} />
    </li>
  );
}

function nextText({ nextMs, isAsked }: Subscription): string {
  if (isAsked || (nextMs !== null && nextMs <= Date.now())) return "Now";
  return nextMs === null ? "None" : localTime(nextMs);
}

const icon = { size: 16, "aria-hidden": true } as const;

function EmailMenu({ subscription, onEdit, onDeliveries }: { subscription: Subscription } & Actions) {
  const { history } = useRouter();
  const { name, link } = subscription;
  const run = async (work: Promise<void>, done: string, failed: string) => {
    try {
      await work;
      toastSuccess(done, 1_200);
    } catch (error) {
      toastError(failed, messagesOf(error).join(" "));
    }
  };
  const remove = async () => {
    const text = `“${name}” and its deliveries are deleted. What it sends stays.`;
    if (!(await confirm({ title: "Delete Email?", text, confirmLabel: "Delete", destructive: true }))) return;
    await run(removeSubscription(subscription), "Email deleted", "The email could not be deleted");
  };
  return (
    <Menu position="bottom-end" trapFocus returnFocus>
      <Menu.Target>
        <IconButton label={`Actions for ${name}`}>
          <IconDots {...icon} />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown aria-label={`Actions for ${name}`}>
        {link !== null && (
          <Menu.Item leftSection={<IconExternalLink {...icon} />} onClick={() => history.push(link)}>
            Open
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconHistory {...icon} />} onClick={() => onDeliveries(subscription)}>
          Deliveries
        </Menu.Item>
        <Menu.Item
          leftSection={<IconMail {...icon} />}
          onClick={() => void run(sendSubscription(subscription), "Sending now", "The email could not be sent")}
        >
          Send now
        </Menu.Item>
        <Menu.Item leftSection={<IconPencil {...icon} />} onClick={() => onEdit(subscription)}>
          Edit
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item color="red" leftSection={<IconTrash {...icon} />} onClick={() => void remove()}>
          Delete
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
