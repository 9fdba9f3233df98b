import { create } from "zustand";
import { useCurrentUser } from "./session/current-session.ts";
import { browserZone, utc } from "./time-zone.ts";

interface ZoneChoice {
  /** The zone in which times in results are shown. */
  zone: string;
  /** The zone to switch to; null if the browser's zone is UTC. */
  other: string | null;
  toggle: () => void;
}

type Choice = "utc" | "local";

/** By username, for this page. Earlier choices are in local storage. */
const useChoices = create<Readonly<Record<string, Choice>>>(() => ({}));

/** UTC until the user chooses otherwise. */
export function useResultZone(): string {
  const choice = useChoice();
  return choice === "local" ? browserZone() : utc;
}

/** The zone of results and a way to switch it. Remembered per user. */
export function useZoneChoice(): ZoneChoice {
  const { preferred_username: username } = useCurrentUser();
  const choice = useChoice();
  const local = browserZone();
  const next: Choice = choice === "utc" ? "local" : "utc";
  return {
    zone: choice === "local" ? local : utc,
    other: local === utc ? null : next === "local" ? local : utc,
    toggle: () => {
      useChoices.setState({ [username]: next });
      attempt((storage) => storage.setItem(keyOf(username), next));
    },
  };
}

function useChoice(): Choice {
  const { preferred_username: username } = useCurrentUser();
  return useChoices((choices) => choices[username] ?? storedChoice(username));
}

const keyOf = (username: string): string => `fairway.times.${encodeURIComponent(username)}`;

const storedChoice = (username: string): Choice => (attempt((storage) => storage.getItem(keyOf(username))) === "local" ? "local" : "utc");

// Storage may be blocked or full. The choice then lasts as long as the page.
function attempt<T>(action: (storage: Storage) => T): T | undefined {
  try {
    return action(localStorage);
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}
