import { type SessionRecord, parseSessionRecord, type StoredSession } from "./session-record.ts";

export const sessionKey = "fairway.session";

/** Stores a tab's session: the wrapper in session storage, the access token in a cookie for plain downloads. */
export interface SessionStorage {
  read: () => SessionRecord | null;
  write: (stored: StoredSession) => void;
  clear: () => void;
}

export interface SessionStorageOptions {
  storage: Pick<Storage, "getItem" | "setItem" | "removeItem">;
  setCookie: (cookie: string) => void;
  secure: boolean;
}

export function createSessionStorage({ storage, setCookie, secure }: SessionStorageOptions): SessionStorage {
  const cookie = (value: string, maxAgeSeconds: number) =>
    setCookie(`JWT=${value}; Path=/api; SameSite=Strict; Max-Age=${maxAgeSeconds}${secure ? "; Secure" : ""}`);
  return {
    read: () => parseSessionRecord(parseJson(storage.getItem(sessionKey))),
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

function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
