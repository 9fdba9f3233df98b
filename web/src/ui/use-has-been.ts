import { useState } from "react";

/** Whether the condition holds or has held before: what is mounted on first use stays mounted after it. */
export function useHasBeen(condition: boolean): boolean {
  const [hasBeen, setHasBeen] = useState(condition);
  if (condition && !hasBeen) setHasBeen(true);
  return hasBeen || condition;
}
