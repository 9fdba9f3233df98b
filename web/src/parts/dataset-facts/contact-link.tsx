/** A mail address or an https address as a link. */
export function ContactLink({ contact, children = contactText(contact) }: { contact: string; children?: string }) {
  return contact.startsWith("https:") ? (
    <ExternalLink href={contact}>{children}</ExternalLink>
  ) : (
    <a href={`mailto:${contact}`}>{children}</a>
  );
}

/** A link to another site, which does not learn where the user comes from. */
export function ExternalLink({ href, children }: { href: string; children: string }) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}

const contactText = (contact: string): string => (contact.startsWith("https:") ? new URL(contact).host : contact);
