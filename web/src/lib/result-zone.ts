import { create } from "zustand";
import { useCurrentUser } from "./session/current-session.ts";
import { browserZone, utc } from "./time-zone.ts";

interface ZoneChoice {
  /** The zone in which times of results are shown. */
  zone: string;
  /** The one to change to; null where this browser lives in UTC. */
  other: string | null;
  toggle: () => void;
}

type Choice = "utc" | "local";

/** By username, of this page; what an earlier one chose stands in the browser. */
const useChoices = create<Readonly<Record<string, Choice>>>(() => ({}));

/** UTC until the person chooses otherwise. */
export function useResultZone(): string {
  const choice = useChoice();
  return choice === "local" ? browserZone() : utc;
}

/** The zone of results and the way to the other one, remembered for each user. */
export function useZoneChoice(): ZoneChoice {
  const { preferred_username: username } = useCurrentUser();
  const choice = useChoice();
  const own = browserZone();
  const next: Choice = choice === "utc" ? "local" : "utc";
  return {
    zone: choice === "local" ? own : utc,
    other: own === utc ? null : next === "local" ? own : utc,
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

// Storage may be closed to us or full: the choice then lasts as long as the page.
function attempt<T>(action: (storage: Storage) => T): T | undefined {
  try {
    return action(localStorage);
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}
