import { describe, expect, it } from "vitest";
import { dayAt, isMissed, momentOn, nextTurn } from "./schedule.ts";

const everyDay = [1, 2, 3, 4, 5, 6, 7];
const at = (hour: number, minute: number, zone: string, weekdays = everyDay) => ({ hour, minute, zone, weekdays });
const ms = (text: string) => Date.parse(text);
/** Days and moments of the turns after a moment, each after the one before. */
function turns(times: ReturnType<typeof at>, afterMs: number, count: number): string[] {
  const found: string[] = [];
  let [after, day]: [number, string | null] = [afterMs, null];
  for (let index = 0; index < count; index += 1) {
    const turn = nextTurn(times, after, day);
    if (turn === null) break;
    found.push(`${turn.day} ${new Date(turn.ms).toISOString().slice(0, 16)}`);
    [after, day] = [turn.ms, turn.day];
  }
  return found;
}

describe("turns of a subscription", () => {
  it("keep the local time over both changes of the clock, once on each day", () => {
    expect(turns(at(8, 0, "America/New_York"), ms("2026-03-07T00:00:00Z"), 3)).toEqual([
      "2026-03-07 2026-03-07T13:00",
      "2026-03-08 2026-03-08T12:00",
      "2026-03-09 2026-03-09T12:00",
    ]);
    expect(turns(at(8, 0, "Europe/Berlin"), ms("2026-10-24T12:00:00Z"), 2)).toEqual([
      "2026-10-25 2026-10-25T07:00",
      "2026-10-26 2026-10-26T07:00",
    ]);
  });

  it("are as much later as the clock jumps where it skips their time", () => {
    expect(turns(at(2, 30, "America/New_York"), ms("2026-03-07T12:00:00Z"), 2)).toEqual([
      "2026-03-08 2026-03-08T07:30",
      "2026-03-09 2026-03-09T06:30",
    ]);
    // Half an hour on Lord Howe, at 2 o'clock.
    expect(turns(at(2, 15, "Australia/Lord_Howe"), ms("2026-10-03T00:00:00Z"), 1)).toEqual(["2026-10-04 2026-10-03T15:45"]);
    // At midnight in Beirut: the day begins at 1 o'clock.
    expect(turns(at(0, 30, "Asia/Beirut"), ms("2026-03-28T12:00:00Z"), 1)).toEqual(["2026-03-29 2026-03-28T22:30"]);
  });

  it("come once where the clock repeats their time, at its first", () => {
    expect(turns(at(1, 30, "America/New_York"), ms("2026-10-31T12:00:00Z"), 2)).toEqual([
      "2026-11-01 2026-11-01T05:30",
      "2026-11-02 2026-11-02T06:30",
    ]);
    // Between both times of the repeated hour, the day is over.
    expect(nextTurn(at(1, 30, "America/New_York"), ms("2026-11-01T05:45:00Z"), "2026-11-01")?.day).toBe("2026-11-02");
    expect(nextTurn(at(1, 30, "America/New_York"), ms("2026-11-01T05:45:00Z"), null)?.day).toBe("2026-11-02");
  });

  it("skip a day that the calendar skips", () => {
    expect(momentOn("2011-12-30", at(8, 0, "Pacific/Apia"))).toBeUndefined();
    expect(turns(at(8, 0, "Pacific/Apia"), ms("2011-12-29T12:00:00Z"), 2).map((turn) => turn.slice(0, 10))).toEqual([
      "2011-12-29",
      "2011-12-31",
    ]);
  });

  it("are on the chosen days by the clock of the zone, also after an edit on the same day", () => {
    // Sunday in Auckland is still Saturday in UTC.
    expect(turns(at(8, 0, "Pacific/Auckland", [7]), ms("2026-06-06T00:00:00Z"), 2)).toEqual([
      "2026-06-07 2026-06-06T20:00",
      "2026-06-14 2026-06-13T20:00",
    ]);
    expect(nextTurn(at(17, 0, "UTC"), ms("2026-06-01T09:00:00Z"), "2026-06-01")?.day).toBe("2026-06-02");
    expect(dayAt(ms("2026-06-06T20:00:00Z"), "Pacific/Auckland")).toBe("2026-06-07");
  });

  it("are missed on another day, hours later", () => {
    const times = at(23, 50, "UTC");
    expect(isMissed(times, "2026-06-01", ms("2026-06-02T00:30:00Z"))).toBe(false);
    expect(isMissed(times, "2026-06-01", ms("2026-06-02T08:00:00Z"))).toBe(true);
    expect(isMissed(at(1, 0, "UTC"), "2026-06-01", ms("2026-06-01T23:00:00Z"))).toBe(false);
  });
});
