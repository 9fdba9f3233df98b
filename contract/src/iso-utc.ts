import { z } from "zod";

export const isoUtc = z.iso.datetime({ offset: false, message: "is not an ISO 8601 time in UTC" });
