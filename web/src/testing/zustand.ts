import type { StateCreator } from "zustand/vanilla";
import { create as createUnobserved } from "zustand/react";

const resets = new Set<() => void>();

/** Takes the place of zustand's `create`, so that all stores of the app can be put back to their beginning. */
export function create<T>(initializer: StateCreator<T>) {
  const store = createUnobserved<T>(initializer);
  resets.add(() => store.setState(store.getInitialState(), true));
  return store;
}

/** Puts every store of the app back to its beginning. */
export function resetStores(): void {
  for (const reset of resets) reset();
}
