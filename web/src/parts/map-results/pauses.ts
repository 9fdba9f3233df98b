/** What was chosen on the map goes into the address after this. */
export const placePauseMs = 500;
/** Edits of layers take effect after this long without another. */
export const layerEditPauseMs = 500;
/** A tooltip stays this long after the mouse has left. */
export const tooltipLingerMs = 750;

export interface Pause {
  /** Does it after the pause, in the place of what was still to be done. */
  readonly start: (done: () => void) => void;
  /** What is still to be done is done at once. */
  readonly finish: () => void;
  /** What is still to be done is not done. */
  readonly stop: () => void;
  readonly isRunning: () => boolean;
}

export function pauseOf(ms: number): Pause {
  let pending: { readonly timer: ReturnType<typeof setTimeout>; readonly done: () => void } | null = null;
  const take = () => {
    const taken = pending;
    if (taken) clearTimeout(taken.timer);
    pending = null;
    return taken;
  };
  return {
    start: (done) => {
      take();
      const timer = setTimeout(() => take()?.done(), ms);
      pending = { timer, done };
    },
    finish: () => take()?.done(),
    stop: () => void take(),
    isRunning: () => pending !== null,
  };
}
