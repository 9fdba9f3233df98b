/** A configured CSS color; undefined for anything else, such as `url(…)` or a second declaration. */
export function safeColor(color: string): string | undefined {
  const text = color.trim();
  return /^(#[\da-f]{3,8}|[a-z]+|(rgb|hsl|hwb|lab|lch|oklab|oklch)a?\([\d\s.,%/+-]*(?:deg[\d\s.,%/+-]*)?\))$/i.test(text)
    ? text
    : undefined;
}
