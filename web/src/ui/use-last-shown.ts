import { useState } from "react";

/** The value, and after it the last one that was not null: what a dialog shows stays while it fades out. */
export function useLastShown<T>(value: T | null): T | null {
  const [last, setLast] = useState(value);
  if (value !== null && value !== last) setLast(value);
  return value ?? last;
}
