import { useEffect, useState } from "react";

export type Loaded<T> = { status: "loading" } | { status: "failed"; error: unknown } | { status: "done"; value: T };

/** Loads a value once for each `load`, which must be stable, and aborts when it is no longer needed. */
export function useLoaded<T>(load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [state, setState] = useState<{ load: unknown; loaded: Loaded<T> }>({ load, loaded: { status: "loading" } });
  useEffect(() => {
    const controller = new AbortController();
    const settle = (loaded: Loaded<T>) => {
      if (!controller.signal.aborted) setState({ load, loaded });
    };
    load(controller.signal).then(
      (value) => settle({ status: "done", value }),
      (error: unknown) => settle({ status: "failed", error }),
    );
    return () => controller.abort();
  }, [load]);
  return state.load === load ? state.loaded : { status: "loading" };
}
