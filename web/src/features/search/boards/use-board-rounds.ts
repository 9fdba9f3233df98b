import { useCallback, useEffect, useRef, useState } from "react";

/**
 * The loads of a board: the first, one for each `refresh`, and one every so many minutes while the page is visible. Never two at a
 * time: one that is due while panels still load waits for them.
 */
export function useBoardRounds(refreshMinutes: number | null) {
  const [round, setRound] = useState(() => ({ count: 0, nowMs: Date.now() }));
  const loading = useRef(new Set<string>());
  const [isLoading, setLoading] = useState(false);
  const onLoading = useCallback((id: string, isStart: boolean) => {
    if (isStart) loading.current.add(id);
    else loading.current.delete(id);
    setLoading(loading.current.size > 0);
  }, []);
  const refresh = useCallback(() => {
    if (loading.current.size === 0) setRound(({ count }) => ({ count: count + 1, nowMs: Date.now() }));
  }, []);
  const { nowMs } = round;
  useEffect(() => {
    if (refreshMinutes === null) return undefined;
    const refreshWhenDue = () => {
      if (document.visibilityState === "visible" && Date.now() - nowMs >= refreshMinutes * 60_000) refresh();
    };
    // Looks often enough for a page that becomes visible again, or whose panels took long.
    const timer = setInterval(refreshWhenDue, 5_000);
    return () => clearInterval(timer);
  }, [refreshMinutes, nowMs, refresh]);
  return { round: round.count, nowMs, isLoading, onLoading, refresh };
}
