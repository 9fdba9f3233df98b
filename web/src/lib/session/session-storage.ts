import { type SessionRecord, sessionRecord, type StoredSession } from "./session-record.ts";

export const sessionKey = "fairway.session";

/** Where a tab keeps its session: the wrapper in session storage, the access token in a cookie for plain downloads. */
export interface SessionStorage {
  read: () => SessionRecord | null;
  write: (stored: StoredSession) => void;
  clear: () => void;
}

export interface StoragePlaces {
  storage: Pick<Storage, "getItem" | "setItem" | "removeItem">;
  setCookie: (cookie: string) => void;
  secure: boolean;
}

export function sessionStorageIn({ storage, setCookie, secure }: StoragePlaces): SessionStorage {
  const cookie = (value: string, maxAgeSeconds: number) =>
    setCookie(`JWT=${value}; Path=/api; SameSite=Strict; Max-Age=${maxAgeSeconds}${secure ? "; Secure" : ""}`);
  return {
    read: () => sessionRecord(parsed(storage.getItem(sessionKey))),
    write: (stored) => {
      storage.setItem(sessionKey, JSON.stringify(stored));
      cookie(stored.access_token, stored.expires_in);
    },
    clear: () => {
      storage.removeItem(sessionKey);
      cookie("", 0);
    },
  };
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
