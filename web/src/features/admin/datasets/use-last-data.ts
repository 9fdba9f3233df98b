import { useState } from "react";

/** The latest data about a source, which stays shown while the source is read in another way, and if that is refused. */
export function useLastData<T>(source: unknown, data: T | undefined): T | undefined {
  const [last, setLast] = useState<{ source: unknown; data: T } | null>(null);
  if (data !== undefined && data !== last?.data) setLast({ source, data });
  return data ?? (last?.source === source ? last?.data : undefined);
}
