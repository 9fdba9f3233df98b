import { Button, Group } from "@mantine/core";
import { Notifications, notifications } from "@mantine/notifications";
import { IconAlertCircle } from "../icons/alert-circle.ts";
import { IconAlertTriangle } from "../icons/alert-triangle.ts";
import { IconCircleCheck } from "../icons/circle-check.ts";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { type OpenErrors, withError } from "./toast-errors.ts";
import { type Toast, type ToastAction, useToasts } from "./toast.ts";
import classes from "./toasts.module.css";

/** Toasts at the bottom right. A success is a polite status and closes by itself; an error is an alert and stays until closed. */
export function Toasts() {
  const waiting = useToasts((state) => state.waiting);
  const idBase = useId();
  const shownCount = useRef(0);
  const openErrors = useRef<readonly OpenErrors[]>([]);
  const openAction = useRef("");
  useEffect(() => {
    if (waiting.length === 0) return;
    useToasts.setState({ waiting: [] });
    for (const toast of waiting) {
      shownCount.current += 1;
      const id = `${idBase}${shownCount.current}`;
      notifications.show({
        id,
        ...(toast.actions ? actionContent(toast.title, toast.actions, () => notifications.hide(id)) : contentOf([toast])),
        icon: icons[toast.kind],
        "data-kind": toast.kind,
        autoClose: toast.durationMs,
        // Away from the buttons of panels and dialogs, because it can be pressed itself.
        ...(toast.kind === "action" ? { position: "bottom-center" as const } : {}),
        withCloseButton: toast.kind !== "success",
        closeButtonProps: { "aria-label": "Close" },
        role: toast.kind === "error" ? "alert" : "status",
        onClose: () => {
          openErrors.current = openErrors.current.filter((entry) => entry.id !== id);
        },
      });
      if (toast.kind === "action") {
        notifications.hide(openAction.current);
        openAction.current = id;
      }
      if (toast.kind === "error") {
        const previous = openErrors.current;
        const next = withError(previous, { id, errors: [toast] });
        for (const entry of previous) {
          const remaining = next.find((other) => other.id === entry.id);
          if (!remaining) notifications.hide(entry.id);
          else if (remaining.errors !== entry.errors) notifications.update({ id: entry.id, ...contentOf(remaining.errors) });
        }
        openErrors.current = next;
      }
    }
  }, [waiting, idBase]);
  // No queue: successes close by themselves, and older errors share a toast.
  return (
    <Notifications
      position="bottom-right"
      containerWidth={360}
      limit={Number.POSITIVE_INFINITY}
      notificationMaxHeight={320}
      transitionDuration={150}
      zIndex={400}
    />
  );
}

const icons: Record<Toast["kind"], ReactNode> = {
  success: <IconCircleCheck size={16} aria-hidden />,
  action: <IconCircleCheck size={16} aria-hidden />,
  warning: <IconAlertTriangle size={16} aria-hidden />,
  error: <IconAlertCircle size={16} aria-hidden />,
};

const actionContent = (title: string, actions: readonly ToastAction[], close: () => void) => ({
  title: undefined,
  message: (
    <Group gap="sm" justify="space-between" wrap="nowrap">
      {title}
      <Group gap={0} wrap="nowrap">
        {actions.map(({ label, run }) => (
          <Button
            key={label}
            variant="subtle"
            size="compact-sm"
            onClick={() => {
              close();
              run();
            }}
          >
            {label}
          </Button>
        ))}
      </Group>
    </Group>
  ),
});

function contentOf(toasts: readonly Toast[]) {
  const [only, ...more] = toasts;
  if (only && more.length === 0) {
    return only.message === undefined ? { title: undefined, message: only.title } : { title: only.title, message: only.message };
  }
  return {
    title: undefined,
    message: (
      <details className={classes["earlier"]}>
        <summary>{toasts.length} earlier errors</summary>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the list scrolls, also by keyboard */}
        <ul aria-label="Earlier errors" tabIndex={0}>
          {toasts.map(({ title, message }, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- the same error may occur twice, and the list only grows at its end
            <li key={index}>
              <b>{title}</b> {message}
            </li>
          ))}
        </ul>
      </details>
    ),
  };
}
