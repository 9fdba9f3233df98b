import { zoneKey } from "@fairway/contract/preferences";
import { setPreference, useZonePreference } from "../gateway/preferences.ts";
import { browserZone, utc } from "./time-zone.ts";

interface ZoneChoice {
  /** The zone in which times in results are shown. */
  zone: string;
  /** The zone to switch to; null if the browser's zone is UTC. */
  other: string | null;
  toggle: () => void;
}

/** UTC until the user chooses otherwise. */
export const useResultZone = (): string => (useZonePreference() === "local" ? browserZone() : utc);

/** The zone of results and a way to switch it. A preference of the user. */
export function useZoneChoice(): ZoneChoice {
  const isLocal = useZonePreference() === "local";
  const local = browserZone();
  return {
    zone: isLocal ? local : utc,
    other: local === utc ? null : isLocal ? utc : local,
    toggle: () => setPreference(zoneKey, { kind: "zone", zone: isLocal ? "utc" : "local" }),
  };
}
