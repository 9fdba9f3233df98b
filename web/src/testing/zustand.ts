import type { StateCreator } from "zustand/vanilla";
import { create as createStore } from "zustand/react";

const resets = new Set<() => void>();

/** Replaces zustand's `create`, so that all stores of the app can be reset. */
export function create<T>(initializer: StateCreator<T>) {
  const store = createStore<T>(initializer);
  resets.add(() => store.setState(store.getInitialState(), true));
  return store;
}

/** Resets every store of the app to its initial state. */
export function resetStores(): void {
  for (const reset of resets) reset();
}
