import type { Toast } from "./toast.ts";

/** A toast of errors that nobody has closed yet: one error, or earlier ones that share it. */
export interface OpenErrors {
  id: string;
  /** Oldest first. */
  errors: readonly Toast[];
}

/** As many toasts of errors leave the rest of the screen in sight. */
const mostToasts = 3;

/** What is open once another error has come, oldest first: the newest is always seen, and the oldest share one toast rather than go unread. */
export function withError(open: readonly OpenErrors[], newest: OpenErrors): OpenErrors[] {
  const all = [...open, newest];
  const [shared, ...later] = all;
  if (!shared || all.length <= mostToasts) return all;
  const joining = later.splice(0, all.length - mostToasts).flatMap(({ errors }) => errors);
  return [{ id: shared.id, errors: [...shared.errors, ...joining] }, ...later];
}
