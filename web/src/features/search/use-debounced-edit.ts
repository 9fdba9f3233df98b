import { useEffect, useState } from "react";
import { layerEditPauseMs, pauseOf } from "#parts/map-results/pauses.ts";

/**
 * A draft of a value that takes effect once nothing was edited for 500 ms and it is whole. One that is not whole waits.
 * Where the editor closes before, the draft takes effect then.
 */
export function useDebouncedEdit<T>(value: T, onDone: (value: T) => void, isWhole: (value: T) => boolean): [T, (value: T) => void] {
  const [draft, setDraft] = useState(value);
  const [pause] = useState(() => pauseOf(layerEditPauseMs));
  useEffect(() => pause.finish, [pause]);
  const edit = (next: T) => {
    setDraft(next);
    if (isWhole(next)) pause.start(() => onDone(next));
    else pause.stop();
  };
  return [draft, edit];
}
