import type { Toast } from "./toast.ts";

/** An open error toast: one error, or several earlier ones that share it. */
export interface OpenErrors {
  id: string;
  /** Oldest first. */
  errors: readonly Toast[];
}

/** More error toasts would cover too much of the screen. */
const maxErrorToasts = 3;

/** Adds an error to the open toasts, oldest first. The newest always gets its own toast; the oldest share one. */
export function withError(open: readonly OpenErrors[], newest: OpenErrors): OpenErrors[] {
  const all = [...open, newest];
  const [shared, ...later] = all;
  if (!shared || all.length <= maxErrorToasts) return all;
  const joining = later.splice(0, all.length - maxErrorToasts).flatMap(({ errors }) => errors);
  return [{ id: shared.id, errors: [...shared.errors, ...joining] }, ...later];
}
