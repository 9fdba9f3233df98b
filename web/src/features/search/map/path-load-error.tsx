import { Button } from "@mantine/core";
import { IconRefresh } from "#ui/icons/refresh.ts";
import classes from "./map.module.css";

/** Why a visible path is incomplete, with a retry button. */
export function PathLoadError({ text, onRetry }: { text: string; onRetry: () => void }) {
  return (
    <div role="alert" className={classes["warning"]}>
      <p className={classes["problem"]}>{text}</p>
      <Button variant="default" size="xs" leftSection={<IconRefresh size={16} aria-hidden />} onClick={onRetry}>
        Retry
      </Button>
    </div>
  );
}
