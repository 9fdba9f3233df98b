/** The Login page's address that comes back to where the person was going. */
export function loginAddress({ pathname, search, hash }: Pick<Location, "pathname" | "search" | "hash">): string {
  const wanted = pathname + search + hash;
  return wanted === "/" ? "/login" : `/login?redirect=${encodeURIComponent(wanted)}`;
}

export const afterLogin = "/search";

// One slash, then anything but another slash or a backslash: the rest would be read as another host.
const ownPath = /^\/(?![/\\])/;

/** Where to go after a login: the `redirect` of the Login page's query, as long as it stays on this origin; else the datasets. */
export function returnAddress(query: string, origin: string): string {
  const wanted = new URLSearchParams(query).get("redirect");
  if (wanted === null || !ownPath.test(wanted) || !URL.canParse(wanted, origin)) return afterLogin;
  const url = new URL(wanted, origin);
  const address = url.pathname + url.search + url.hash;
  // Parsing drops tabs and dots: what comes out is judged again.
  if (url.origin !== origin || !ownPath.test(address) || /^\/(login|setup)\/?$/.test(url.pathname)) return afterLogin;
  return address;
}
