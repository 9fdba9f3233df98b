import type { Alert, AlertState } from "@fairway/contract/alerts";
import { pluralize } from "@fairway/contract/counts";
import { Menu } from "@mantine/core";
import { IconBellOff } from "#ui/icons/bell-off.ts";
import { IconBellRinging } from "#ui/icons/bell-ringing.ts";
import { IconCheck } from "#ui/icons/check.ts";
import { IconClock } from "#ui/icons/clock.ts";
import { IconDots } from "#ui/icons/dots.ts";
import { IconHistory } from "#ui/icons/history.ts";
import { IconMail } from "#ui/icons/mail.ts";
import { IconPencil } from "#ui/icons/pencil.ts";
import { IconPlayerPause } from "#ui/icons/player-pause.ts";
import { IconPlayerPlay } from "#ui/icons/player-play.ts";
import { IconRefresh } from "#ui/icons/refresh.ts";
import { IconTable } from "#ui/icons/table.ts";
import { IconTrash } from "#ui/icons/trash.ts";
import type { IconComponent } from "#ui/icons/icon.ts";
import { useRouter } from "@tanstack/react-router";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { localTime } from "#lib/time/local-time.ts";
import { Badge } from "#ui/badge.tsx";
import { confirm } from "#ui/dialog/confirm.ts";
import { IconButton } from "#ui/icon-button.tsx";
import { RelativeTime } from "#ui/relative-time.tsx";
import { toastError, toastSuccess } from "#ui/toast/toast.ts";
import { alertSentence, stateText, webhookText } from "./alert-text.ts";
import { checkAlert, pauseAlert, removeAlert, snoozeAlert, testAlert } from "./queries.ts";
import classes from "./alerts.module.css";

interface Actions {
  onEdit: (alert: Alert) => void;
  onHistory: (alert: Alert) => void;
}

export function AlertList({ alerts, ...actions }: { alerts: readonly Alert[] } & Actions) {
  return (
    <div className={classes["list"]}>
      <ul aria-label="Alerts">
        {alerts.map((alert) => (
          <AlertItem key={alert.id} alert={alert} {...actions} />
        ))}
      </ul>
    </div>
  );
}

const stateIcons: Readonly<Record<AlertState, IconComponent>> = {
  new: IconClock,
  ok: IconCheck,
  firing: IconBellRinging,
  snoozed: IconBellOff,
  paused: IconPlayerPause,
};

function AlertItem({ alert, ...actions }: { alert: Alert } & Actions) {
  const { name, state, seen, reason, webhook } = alert;
  return (
    <li>
      <div>
        <Badge icon={stateIcons[state]} tone={state === "firing" ? "warning" : "neutral"}>
          {stateText[state]}
        </Badge>
      </div>
      <div className={classes["about"]}>
        <h2>
          <button type="button" aria-haspopup="dialog" onClick={() => actions.onHistory(alert)}>
            {name}
          </button>
        </h2>
        <p>{alertSentence(alert)}</p>
        {reason !== "" && <p className={classes["reason"]}>{reason}</p>}
        {webhook !== null && webhook.problem !== "" && (
          <p className={classes["reason"]}>
            {webhookText(webhook.problem)}
            {webhook.state === "dead"
              ? " No more messages are sent to it. To use it again, send a test or save the alert."
              : " It will be tried again."}
          </p>
        )}
      </div>
      <dl className={classes["checked"]}>
        <div>
          <dt>Last checked</dt>
          <dd>
            {alert.lastCheckedMs === null ? "Never" : <RelativeTime epochMs={alert.lastCheckedMs} />}
            {seen !== null && seen.rows !== null && `, ${pluralize(seen.rows, "row")}`}
          </dd>
        </div>
        <div>
          <dt>{state === "snoozed" ? "Snoozed until" : "Next check"}</dt>
          <dd>{nextText(alert)}</dd>
        </div>
      </dl>
      <AlertMenu alert={alert} {...actions} />
    </li>
  );
}

function nextText({ state, snoozedUntilMs, nextCheckMs }: Alert): string {
  if (state === "snoozed" && snoozedUntilMs !== null) return localTime(snoozedUntilMs);
  if (nextCheckMs === null) return "None";
  return nextCheckMs <= Date.now() ? "Now" : localTime(nextCheckMs);
}

const icon = { size: 16, "aria-hidden": true } as const;

const snoozes = [
  { label: "Snooze for 1 hour", minutes: 60 },
  { label: "Snooze for 1 day", minutes: 1_440 },
  { label: "Snooze for 1 week", minutes: 10_080 },
] as const;

function AlertMenu({ alert, onEdit, onHistory }: { alert: Alert } & Actions) {
  const { history } = useRouter();
  const { name, state, pausedBy, link } = alert;
  const run = async (work: Promise<void>, done: string, failed: string) => {
    try {
      await work;
      toastSuccess(done, 1_200);
    } catch (error) {
      toastError(failed, messagesOf(error).join(" "));
    }
  };
  const remove = async () => {
    const text = `“${name}” and its history are deleted. The saved search stays.`;
    if (!(await confirm({ title: "Delete Alert?", text, confirmLabel: "Delete", destructive: true }))) return;
    await run(removeAlert(alert), "Alert deleted", "The alert could not be deleted");
  };
  const isEnded = pausedBy === "administrator";
  return (
    <Menu position="bottom-end" trapFocus returnFocus>
      <Menu.Target>
        <IconButton label={`Actions for ${name}`}>
          <IconDots {...icon} />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown aria-label={`Actions for ${name}`}>
        {link !== null && (
          <Menu.Item leftSection={<IconTable {...icon} />} onClick={() => history.push(link)}>
            Open rows
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconHistory {...icon} />} onClick={() => onHistory(alert)}>
          History
        </Menu.Item>
        {state !== "paused" && (
          <Menu.Item
            leftSection={<IconRefresh {...icon} />}
            onClick={() => void run(checkAlert(alert), "Checking now", "The alert could not be checked")}
          >
            Check now
          </Menu.Item>
        )}
        <Menu.Item
          leftSection={<IconMail {...icon} />}
          onClick={() => void run(testAlert(alert), "Test sent", "The test could not be sent")}
        >
          Send a test
        </Menu.Item>
        {!isEnded && (
          <>
            <Menu.Divider />
            {state === "snoozed" ? (
              <Menu.Item
                leftSection={<IconBellRinging {...icon} />}
                onClick={() => void run(snoozeAlert(alert, null), "Messages are sent again", "The snooze could not be ended")}
              >
                End snooze
              </Menu.Item>
            ) : (
              state !== "paused" &&
              snoozes.map(({ label, minutes }) => (
                <Menu.Item
                  key={minutes}
                  leftSection={<IconBellOff {...icon} />}
                  onClick={() => void run(snoozeAlert(alert, minutes), "Alert snoozed", "The alert could not be snoozed")}
                >
                  {label}
                </Menu.Item>
              ))
            )}
            {state === "paused" ? (
              <Menu.Item
                leftSection={<IconPlayerPlay {...icon} />}
                onClick={() => void run(pauseAlert(alert, false), "Alert resumed", "The alert could not be resumed")}
              >
                Resume
              </Menu.Item>
            ) : (
              <Menu.Item
                leftSection={<IconPlayerPause {...icon} />}
                onClick={() => void run(pauseAlert(alert, true), "Alert paused", "The alert could not be paused")}
              >
                Pause
              </Menu.Item>
            )}
            <Menu.Item leftSection={<IconPencil {...icon} />} onClick={() => onEdit(alert)}>
              Edit
            </Menu.Item>
          </>
        )}
        <Menu.Divider />
        <Menu.Item color="red" leftSection={<IconTrash {...icon} />} onClick={() => void remove()}>
          Delete
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
