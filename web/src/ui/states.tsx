import { Button, Skeleton } from "@mantine/core";
import { IconAlertCircle, IconRefresh } from "@tabler/icons-react";
import { type ReactNode, useEffect, useState } from "react";
import classes from "./states.module.css";

/** True after `delayMs`: what is quick never flashes a skeleton. */
export function useLate(delayMs = 150): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), delayMs);
    return () => clearTimeout(timer);
  }, [delayMs]);
  return late;
}

/** Skeleton of a list: the place is kept at once, the shimmer comes after 150 ms. */
export function LoadingRows({ label, rows = 8, rowHeight = 32 }: { label: string; rows?: number; rowHeight?: number }) {
  const late = useLate();
  return (
    <div role="status" aria-label={label} className={classes["loading"]}>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} style={{ height: rowHeight }} className={classes["loadingRow"]}>
          {late && <Skeleton height={12} width={`${[62, 44, 78, 53, 69][row % 5]}%`} radius="sm" />}
        </div>
      ))}
    </div>
  );
}

/** One sentence, and the next step where there is one. */
export function EmptyState({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className={classes["message"]}>
      <p>{children}</p>
      {action}
    </div>
  );
}

/** What failed, the server's reasons where they help, and Retry. */
export function ErrorState({ message, details = none, retryLabel = "Retry", onRetry }: ErrorStateProps) {
  return (
    <div role="alert" className={classes["message"]}>
      <p className={classes["failed"]}>
        <IconAlertCircle size={16} aria-hidden />
        {message}
      </p>
      {details.map((detail) => (
        <p key={detail} className={classes["detail"]}>
          {detail}
        </p>
      ))}
      {onRetry && (
        <Button variant="default" size="sm" leftSection={<IconRefresh size={16} aria-hidden />} onClick={onRetry}>
          {retryLabel}
        </Button>
      )}
    </div>
  );
}

const none: readonly string[] = [];

interface ErrorStateProps {
  message: string;
  details?: readonly string[];
  retryLabel?: string;
  onRetry?: () => void;
}
