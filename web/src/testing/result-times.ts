import { vi } from "vitest";
import { expectText } from "./assertions.ts";
import { cell } from "./results.ts";

export async function expectTimes(texts: readonly string[]): Promise<void> {
  for (const [index, text] of texts.entries()) await expectText(cell(index + 1, "time"), text);
}

/** Changes the time zone of the browser, which is America/New_York in tests. */
export function setBrowserZone(timeZone: string): void {
  const options = Intl.DateTimeFormat().resolvedOptions();
  vi.spyOn(Intl.DateTimeFormat.prototype, "resolvedOptions").mockReturnValue({ ...options, timeZone });
}
