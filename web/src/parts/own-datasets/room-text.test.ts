import { expect, it } from "vitest";
import { fullText, roomText } from "./room-text.ts";

const room = { bytes: 1_200_000_000, maxBytes: 2_000_000_000, datasets: 3, maxDatasets: 100, maxFileBytes: 1_000_000_000 };

it("says how much room is used, with the unit once where it is the same", () => {
  expect(roomText(room)).toBe("1.2 of 2 GB");
  expect(roomText({ ...room, bytes: 58_000 })).toBe("58.0 KB of 2 GB");
  expect(roomText({ ...room, bytes: 0, maxBytes: 1_500_000_000 })).toBe("0 bytes of 1.5 GB");
});

it("says why nothing can be added", () => {
  expect(fullText(room)).toBeNull();
  expect(fullText({ ...room, datasets: 100 })).toBe("You have 100 datasets, as many as there can be.");
  expect(fullText({ ...room, bytes: 2_000_000_000 })).toBe("You keep 2.0 of 2 GB. Delete a dataset or older versions first.");
});
