/**
 * The number of elements that a browser would lay out for an SVG image: those that are used in several places count each time, and
 * so do those that are used within them. Looks no further than the limit. A parsed document runs and loads nothing.
 */
export function svgWeight(text: string, limit: number): number {
  // Entities repeat text within text; drawings have no use for them.
  if (/<!ENTITY/i.test(text)) return Infinity;
  // Handlers would not run, but the browser would report each to the policy.
  const passive = text.replaceAll(/\s(?=on[a-z]+\s*=)/gi, " data-");
  const document = new DOMParser().parseFromString(passive, "image/svg+xml");
  const byId = new Map<string, Element>();
  for (const element of document.querySelectorAll("[id]")) if (!byId.has(element.id)) byId.set(element.id, element);
  const known = new Map<Element, number>();
  const weigh = (element: Element): number => {
    const before = known.get(element);
    if (before !== undefined) return before;
    // Browsers do not draw what contains itself.
    known.set(element, 0);
    let weight = 1;
    for (const child of element.children) {
      weight += weigh(child);
      if (weight > limit) break;
    }
    for (const id of usedIds(element)) {
      const used = byId.get(id);
      if (used !== undefined) weight += weigh(used);
    }
    known.set(element, weight);
    return weight;
  };
  try {
    return weigh(document.documentElement);
  } catch (error) {
    if (error instanceof RangeError) return Infinity;
    throw error;
  }
}

/** Ids of elements that an element draws besides its children: `href="#id"`, `fill="url(#id)"` and the like. */
function usedIds(element: Element): string[] {
  const ids: string[] = [];
  for (const { localName, value } of element.attributes) {
    if (localName === "href" && value.startsWith("#")) ids.push(value.slice(1));
    else for (const [, id = ""] of value.matchAll(/url\(\s*["']?#([^"')\s]+)/g)) ids.push(id);
  }
  return ids;
}
