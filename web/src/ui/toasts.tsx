import { Notifications, notifications } from "@mantine/notifications";
import { IconAlertCircle, IconCircleCheck } from "@tabler/icons-react";
import { useEffect } from "react";
import { useToasts } from "./toast.ts";

/** Toasts at the bottom right. A success is said politely and goes; an error is said at once and stays until it is closed. */
export function Toasts() {
  const waiting = useToasts((state) => state.waiting);
  useEffect(() => {
    if (waiting.length === 0) return;
    useToasts.setState({ waiting: [] });
    for (const { kind, title, message, durationMs } of waiting) {
      const failed = kind === "error";
      notifications.show({
        ...(message === undefined ? { message: title } : { title, message }),
        icon: failed ? <IconAlertCircle size={16} aria-hidden /> : <IconCircleCheck size={16} aria-hidden />,
        autoClose: durationMs,
        withCloseButton: failed,
        closeButtonProps: { "aria-label": "Close" },
        role: failed ? "alert" : "status",
      });
    }
  }, [waiting]);
  return <Notifications position="bottom-right" containerWidth={360} limit={4} transitionDuration={150} zIndex={400} />;
}
