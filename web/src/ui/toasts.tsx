import { Notifications, notifications } from "@mantine/notifications";
import { IconAlertCircle, IconAlertTriangle, IconCircleCheck } from "@tabler/icons-react";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { type OpenErrors, withError } from "./toast-errors.ts";
import { type Toast, useToasts } from "./toast.ts";
import classes from "./toasts.module.css";

/** Toasts at the bottom right. A success is said politely and goes; an error is said at once and stays until it is closed. */
export function Toasts() {
  const waiting = useToasts((state) => state.waiting);
  const idBase = useId();
  const shown = useRef(0);
  const open = useRef<readonly OpenErrors[]>([]);
  useEffect(() => {
    if (waiting.length === 0) return;
    useToasts.setState({ waiting: [] });
    for (const toast of waiting) {
      shown.current += 1;
      const id = `${idBase}${shown.current}`;
      notifications.show({
        id,
        ...contentOf([toast]),
        icon: icons[toast.kind],
        "data-kind": toast.kind,
        autoClose: toast.durationMs,
        withCloseButton: toast.kind !== "success",
        closeButtonProps: { "aria-label": "Close" },
        role: toast.kind === "error" ? "alert" : "status",
        onClose: () => {
          open.current = open.current.filter((one) => one.id !== id);
        },
      });
      if (toast.kind === "error") {
        const before = open.current;
        const after = withError(before, { id, errors: [toast] });
        for (const one of before) {
          const kept = after.find((other) => other.id === one.id);
          if (!kept) notifications.hide(one.id);
          else if (kept.errors !== one.errors) notifications.update({ id: one.id, ...contentOf(kept.errors) });
        }
        open.current = after;
      }
    }
  }, [waiting, idBase]);
  // None waits behind another: successes go by themselves, and errors that are many share a toast.
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
  warning: <IconAlertTriangle size={16} aria-hidden />,
  error: <IconAlertCircle size={16} aria-hidden />,
};

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
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, also by keyboard */}
        <ul aria-label="Earlier errors" tabIndex={0}>
          {toasts.map(({ title, message }, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- the same error may be there twice, and the list only grows at its end
            <li key={at}>
              <b>{title}</b> {message}
            </li>
          ))}
        </ul>
      </details>
    ),
  };
}
