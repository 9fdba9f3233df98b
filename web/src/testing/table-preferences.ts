import { type PreferenceValue, preferences } from "@fairway/contract/preferences";
import { gateway } from "./open-screen.tsx";

export const serve = (values: Record<string, PreferenceValue>): void =>
  gateway.answer(
    preferences.list,
    Object.entries(values).map(([name, value]) => ({ key: name, value })),
  );
