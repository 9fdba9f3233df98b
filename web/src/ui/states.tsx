import { Button, Skeleton } from "@mantine/core";
import { IconAlertCircle } from "./icons/alert-circle.ts";
import { IconRefresh } from "./icons/refresh.ts";
import { type ReactNode, useEffect, useState } from "react";
import classes from "./ui.module.css";

/** True after `delayMs`, so that fast loads do not flash a skeleton. */
export function useDelayElapsed(delayMs = 150): boolean {
  const [hasElapsed, setHasElapsed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setHasElapsed(true), delayMs);
    return () => clearTimeout(timer);
  }, [delayMs]);
  return hasElapsed;
}

/** Skeleton of a list. Reserves its space at once; the shimmer appears after 150 ms. */
export function LoadingRows({ label, rows = 8, rowHeight = 32 }: { label: string; rows?: number; rowHeight?: number }) {
  const showSkeleton = useDelayElapsed();
  return (
    <div role="status" aria-label={label} className={classes["loading"]}>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} style={{ height: rowHeight }} className={classes["loadingRow"]}>
          {showSkeleton && <Skeleton height={12} width={`${[62, 44, 78, 53, 69][row % 5]}%`} radius="sm" />}
        </div>
      ))}
    </div>
  );
}

/** An empty state: one sentence with an optional title and next step. */
export function EmptyState({ title, icon, children, action }: EmptyStateProps) {
  return (
    <div className={classes["message"]}>
      {icon !== undefined && <span className={classes["icon"]}>{icon}</span>}
      {title !== undefined && <p className={classes["title"]}>{title}</p>}
      <p>{children}</p>
      {action !== undefined && <div className={classes["actions"]}>{action}</div>}
    </div>
  );
}

interface EmptyStateProps {
  title?: string;
  /** 24 px, hidden from assistive technology. */
  icon?: ReactNode;
  children: ReactNode;
  action?: ReactNode;
}

/** An error state: what failed, the server's reasons and Retry. */
export function ErrorState({ message, details = none, retryLabel = "Retry", onRetry, action }: ErrorStateProps) {
  return (
    <div role="alert" className={classes["message"]}>
      <span className={classes["failed"]}>
        <IconAlertCircle size={24} stroke={1.5} aria-hidden />
      </span>
      <p className={classes["title"]}>{message}</p>
      {details.map((detail) => (
        <p key={detail} className={classes["detail"]}>
          {detail}
        </p>
      ))}
      {(onRetry !== undefined || action !== undefined) && (
        <div className={classes["actions"]}>
          {onRetry && (
            <Button variant="default" leftSection={<IconRefresh size={16} aria-hidden />} onClick={onRetry}>
              {retryLabel}
            </Button>
          )}
          {action}
        </div>
      )}
    </div>
  );
}

/** A line that says what could not be loaded, on a screen that works without it. */
export const FailureLine = ({ text, onRetry, className }: { text: string; onRetry: () => void; className?: string | undefined }) => (
  <p role="alert" className={className}>
    {`${text} `}
    <Button variant="default" size="compact-sm" onClick={onRetry}>
      Retry
    </Button>
  </p>
);

const none: readonly string[] = [];

interface ErrorStateProps {
  message: string;
  details?: readonly string[];
  retryLabel?: string;
  /** Omitted if a retry cannot succeed. */
  onRetry?: (() => void) | undefined;
  /** Another next step, next to Retry or instead of it. */
  action?: ReactNode;
}
