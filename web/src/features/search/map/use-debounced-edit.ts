import { useEffect, useState } from "react";
import { debounce } from "#lib/debounce.ts";
import { layerEditDebounceMs } from "./delays.ts";

/**
 * A draft of a value that takes effect once nothing was edited for 500 ms and it is whole. One that is not whole waits.
 * Where the editor closes before, the draft takes effect then.
 */
export function useDebouncedEdit<T>(value: T, onDone: (value: T) => void, isWhole: (value: T) => boolean): [T, (value: T) => void] {
  const [draft, setDraft] = useState(value);
  const [debounced] = useState(() => debounce(layerEditDebounceMs));
  useEffect(() => debounced.flush, [debounced]);
  const edit = (next: T) => {
    setDraft(next);
    if (isWhole(next)) debounced.schedule(() => onDone(next));
    else debounced.cancel();
  };
  return [draft, edit];
}
