export interface Debounced {
  /** Runs the action after the delay and replaces a pending one. */
  readonly schedule: (action: () => void) => void;
  /** Runs a pending action now. */
  readonly flush: () => void;
  /** Drops a pending action. */
  readonly cancel: () => void;
  readonly isPending: () => boolean;
}

export function debounce(delayMs: number): Debounced {
  let pending: { readonly timer: ReturnType<typeof setTimeout>; readonly action: () => void } | null = null;
  const take = () => {
    const taken = pending;
    if (taken) clearTimeout(taken.timer);
    pending = null;
    return taken;
  };
  return {
    schedule: (action) => {
      take();
      const timer = setTimeout(() => take()?.action(), delayMs);
      pending = { timer, action };
    },
    flush: () => take()?.action(),
    cancel: () => void take(),
    isPending: () => pending !== null,
  };
}
