import { useEffect, useState } from "react";
import { debounce } from "#lib/pacing/debounce.ts";
import { layerEditDebounceMs } from "./frame/delays.ts";

/**
 * A draft that takes effect once it is complete and has not been edited for 500 ms. An incomplete draft waits.
 * Unmounting applies a pending draft at once.
 */
export function useDebouncedEdit<T>(value: T, onDone: (value: T) => void, isComplete: (value: T) => boolean): [T, (value: T) => void] {
  const [draft, setDraft] = useState(value);
  const [debounced] = useState(() => debounce(layerEditDebounceMs));
  useEffect(() => debounced.flush, [debounced]);
  const edit = (next: T) => {
    setDraft(next);
    if (isComplete(next)) debounced.schedule(() => onDone(next));
    else debounced.cancel();
  };
  return [draft, edit];
}
