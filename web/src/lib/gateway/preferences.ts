import { recordOf } from "@fairway/contract/records";
import type { UserClaims } from "@fairway/contract/auth";
import {
  columnsKey,
  type ColumnsPreference,
  kindOfKey,
  type Preference,
  preferences,
  preferenceValue,
  type PreferenceValue,
  zoneKey,
} from "@fairway/contract/preferences";
import { z } from "zod";
import { create } from "zustand";
import { namedEntries, rememberInBrowser, takeNamedEntry } from "../browser/browser-memory.ts";
import { call } from "./call.ts";
import { hasNetwork, onReconnected } from "./connection.ts";
import { GatewayError } from "./gateway-error.ts";
import { logFailure } from "../browser/log.ts";

interface Preferences {
  readonly values: Readonly<Record<string, PreferenceValue>>;
  /** Keys of changes that the gateway does not have yet. */
  readonly unsaved: readonly string[];
}

/**
 * Preferences that the signed-in user has chosen on any device (decision 0680). The browser keeps a copy, so that it applies before the
 * gateway answers, and changes that could not be sent.
 */
const usePreferences = create<Preferences>(() => ({ values: {}, unsaved: [] }));

const storedPreferences = z.object({ values: recordOf(z.string(), z.unknown()), unsaved: z.array(z.string()) });

let hasCopy = false;
/** Keys of unsaved changes that were made in this tab. */
const changedHere = new Set<string>();
const storeCopy = rememberInBrowser("preferences", {
  restore: (stored) => {
    const parsed = storedPreferences.safeParse(stored);
    if (!parsed.success) return;
    hasCopy = true;
    // Another tab may have stored its copy before it knew of a change in this one.
    const own = Object.entries(usePreferences.getState().values).filter(([key]) => changedHere.has(key));
    const others = Object.entries(parsed.data.values).flatMap(([key, value]) => (changedHere.has(key) ? [] : [{ key, value }]));
    usePreferences.setState({
      values: { ...validValues(others), ...Object.fromEntries(own) },
      unsaved: [...new Set([...changedHere, ...parsed.data.unsaved])],
    });
  },
  forget: () => {
    hasCopy = false;
    changedHere.clear();
    clearTimeout(storing);
    clearTimeout(retry);
    usePreferences.setState({ values: {}, unsaved: [] });
  },
});

/** Without those of another release. */
const validValues = (entries: readonly { key: string; value: unknown }[]): Record<string, PreferenceValue> =>
  Object.fromEntries(
    entries.flatMap(({ key, value }) => {
      const parsed = preferenceValue.safeParse(value);
      return parsed.success && parsed.data.kind === kindOfKey(key) ? [[key, parsed.data]] : [];
    }),
  );

/** A dataset's columns as the user arranged them; undefined if they never did. */
export function useColumnsPreference(key: string): ColumnsPreference | undefined {
  const value = usePreferences(({ values }) => values[key]);
  return value?.kind === "columns" ? value : undefined;
}

/** UTC until the user chooses otherwise. */
export function useZonePreference(): "utc" | "local" {
  const value = usePreferences(({ values }) => values[zoneKey]);
  return value?.kind === "zone" ? value.zone : "utc";
}

/** Longer than the time between two steps of a drag. */
const storeDelayMs = 300;
let storing: ReturnType<typeof setTimeout> | undefined;

/** Changes one preference; undefined restores its default. It applies at once and is saved shortly afterwards. */
export function setPreference(key: string, value: PreferenceValue | undefined): void {
  const { values, unsaved } = usePreferences.getState();
  const { [key]: _, ...others } = values;
  changedHere.add(key);
  usePreferences.setState({
    values: value === undefined ? others : { ...others, [key]: value },
    unsaved: [...unsaved.filter((one) => one !== key), key],
  });
  clearTimeout(storing);
  storing = setTimeout(storeChanges, storeDelayMs);
}

function storeChanges(): void {
  clearTimeout(storing);
  storeCopy(usePreferences.getState());
  void sendUnsaved();
}

// Changes that are not sent in time are sent by the next page.
const onPageHide = (): void => storeCopy(usePreferences.getState());

const retryMs = 30_000;
let retry: ReturnType<typeof setTimeout> | undefined;
let isSending = false;

/** Sends changes one by one. Those that could not be sent are sent again later; refused ones apply in this browser only. */
async function sendUnsaved(): Promise<void> {
  if (isSending) return;
  isSending = true;
  clearTimeout(retry);
  try {
    for (let [key] = usePreferences.getState().unsaved; key !== undefined; [key] = usePreferences.getState().unsaved) await send(key);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    logFailure("A preference could not be saved yet", error);
    if (hasNetwork() && error.status !== 401) retry = setTimeout(() => void sendUnsaved(), retryMs);
  } finally {
    isSending = false;
  }
}

async function send(key: string): Promise<void> {
  const value = usePreferences.getState().values[key];
  try {
    if (value === undefined) await call(preferences.remove, { params: { key } });
    else await call(preferences.save, { params: { key }, body: { value } });
  } catch (error) {
    if (!(error instanceof GatewayError) || !isFinal(error)) throw error;
    const isGone = value === undefined && error.status === 404;
    if (!isGone) {
      logFailure("A preference was not saved", error);
      for (const listener of refusalListeners) listener(error);
    }
  }
  const { values, unsaved } = usePreferences.getState();
  // A change since then is sent next.
  if (values[key] !== value) return;
  changedHere.delete(key);
  usePreferences.setState({ unsaved: unsaved.filter((one) => one !== key) });
  storeCopy(usePreferences.getState());
}

/** Whether sending the same again would be refused again. */
const isFinal = ({ status }: GatewayError): boolean => [400, 404, 409, 413].includes(status);

const refusalListeners = new Set<(error: GatewayError) => void>();

/** Called when a change applies in this browser only. Returns the function that stops it. */
export function onPreferenceRefused(listener: (error: GatewayError) => void): () => void {
  refusalListeners.add(listener);
  return () => refusalListeners.delete(listener);
}

/** A first screen waits this long for the answer if this browser has no copy. */
const maxWaitMs = 2_000;

/** Called once the user is known and their memory is restored. Resolves when preferences can be shown. */
export async function openPreferences(user: UserClaims): Promise<void> {
  stopRetrying();
  stopRetrying = onReconnected(() => void (isLoaded ? sendUnsaved() : load(user)));
  addEventListener("pagehide", onPageHide);
  isLoaded = false;
  const loaded = load(user);
  if (!hasCopy) await Promise.race([loaded, new Promise((resolve) => setTimeout(resolve, maxWaitMs))]);
}

let isLoaded = false;
let stopRetrying = () => {};

async function load(user: UserClaims): Promise<void> {
  const before = usePreferences.getState().values;
  let list: readonly Preference[];
  try {
    list = await call(preferences.list, {});
  } catch (cause) {
    return logFailure("The preferences could not be loaded", cause);
  }
  isLoaded = true;
  const { values, unsaved } = usePreferences.getState();
  const isOwn = (key: string) => unsaved.includes(key) || values[key] !== before[key];
  const own = Object.entries(values).filter(([key]) => isOwn(key));
  const theirs = validValues(list.filter(({ key }) => !isOwn(key)));
  const named = takeNamedPreferences(user).filter(([key]) => !(key in theirs) && !isOwn(key));
  usePreferences.setState({
    values: { ...theirs, ...Object.fromEntries([...own, ...named]) },
    unsaved: [...unsaved, ...named.map(([key]) => key)],
  });
  hasCopy = true;
  storeChanges();
}

/** Preferences that earlier releases stored in this browser for the user. */
function takeNamedPreferences({ preferred_username: username }: UserClaims): [string, PreferenceValue][] {
  const name = encodeURIComponent(username);
  const zone = { key: zoneKey, value: { kind: "zone", zone: takeNamedEntry(`fairway.times.${name}`) } };
  const columns = namedEntries(`fairway.columns.${name}/`).map((entry) => {
    const [, datasetCategory = "", datasetId = ""] = entry.split("/").map(decodeURIComponent);
    return { key: columnsKey({ datasetCategory, datasetId }), value: { kind: "columns", ...(takeNamedEntry(entry) as object | null) } };
  });
  return Object.entries(validValues([zone, ...columns]));
}
