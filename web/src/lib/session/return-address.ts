/** The address of the Login page that returns to the given location afterwards. */
export function loginAddress({ pathname, search, hash }: Pick<Location, "pathname" | "search" | "hash">): string {
  const target = pathname + search + hash;
  return target === "/" ? "/login" : `/login?redirect=${encodeURIComponent(target)}`;
}

export const afterLogin = "/search";

// One slash, not followed by a slash or backslash: browsers would parse the rest as a host.
const ownPath = /^\/(?![/\\])/;

/** Address to open after a login: the `redirect` parameter if it stays on this origin, otherwise the datasets. */
export function returnAddress(query: string, origin: string): string {
  const target = new URLSearchParams(query).get("redirect");
  if (target === null || !ownPath.test(target) || !URL.canParse(target, origin)) return afterLogin;
  const url = new URL(target, origin);
  const address = url.pathname + url.search + url.hash;
  // URL parsing removes tabs and dot segments, so the result is checked again.
  if (url.origin !== origin || !ownPath.test(address) || /^\/(login|setup)\/?$/.test(url.pathname)) return afterLogin;
  return address;
}
