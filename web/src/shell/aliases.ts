/** Other addresses of a screen. They keep their URL, with what follows. */
const aliases = [
  ["/datasets", "/search"],
  ["/reports", "/search"],
  ["/external-datasets", "/search"],
] as const;

/** The path that the routes know for `pathname`. */
export function canonicalPath(pathname: string): string {
  for (const [alias, canonical] of aliases) {
    if (pathname === alias || pathname.startsWith(`${alias}/`)) return canonical + pathname.slice(alias.length);
  }
  return pathname;
}
