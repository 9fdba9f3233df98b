/** The normalized address of a link to the web or to a mailbox; null for any other. */
export function safeLink(href: string): string | null {
  if (!/^(?:https?:\/\/|mailto:)/i.test(href) || !URL.canParse(href)) return null;
  return new URL(href).href;
}
