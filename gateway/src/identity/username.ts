/**
 * What makes two usernames the same: spelling apart from case, width and surrounding spaces. Made here rather than by the
 * database's `lower`, so that every place that counts or looks up by username agrees, whatever the database's locale.
 */
export const usernameKey = (username: string): string => username.trim().normalize("NFKC").toLowerCase();
