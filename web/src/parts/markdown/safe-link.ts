/** The address of a link that may be followed: to the web or to a mailbox. Null for any other. */
export function safeLink(href: string): string | null {
  if (!/^(?:https?:\/\/|mailto:)/i.test(href) || !URL.canParse(href)) return null;
  return new URL(href).href;
}
