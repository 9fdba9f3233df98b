/** A configured colour as a style may take it; undefined for anything else, such as `url(…)` or a second declaration. */
export function safeColour(colour: string): string | undefined {
  const text = colour.trim();
  return /^(#[\da-f]{3,8}|[a-z]+|(rgb|hsl|hwb|lab|lch|oklab|oklch)a?\([\d\s.,%/+-]*(?:deg[\d\s.,%/+-]*)?\))$/i.test(text)
    ? text
    : undefined;
}
