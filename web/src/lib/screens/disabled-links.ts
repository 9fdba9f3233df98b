interface LinkTarget {
  /** The route name. */
  readonly name: string;
  readonly path: string;
  readonly aliases?: readonly string[];
}

/** Whether the operator has disabled a screen. `disabledLinks` holds route names or paths, with or without a leading slash. */
export function isLinkDisabled({ name, path, aliases = [] }: LinkTarget, disabledLinks: readonly string[]): boolean {
  const known = new Set([name, path, ...aliases].map(normalizeLink));
  return disabledLinks.some((link) => known.has(normalizeLink(link)));
}

const normalizeLink = (link: string): string => link.trim().replace(/^\/+/, "");
