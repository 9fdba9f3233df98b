interface LinkTarget {
  /** The name of its route. */
  readonly name: string;
  readonly path: string;
  readonly aliases?: readonly string[];
}

/** Whether the operator has closed a screen: `disabledLinks` holds route names or paths, with or without their slash. */
export function isLinkDisabled({ name, path, aliases = [] }: LinkTarget, disabledLinks: readonly string[]): boolean {
  const known = new Set([name, path, ...aliases].map(bare));
  return disabledLinks.some((link) => known.has(bare(link)));
}

const bare = (link: string): string => link.trim().replace(/^\/+/, "");
