// Imported before any schema is used: zod probes `new Function` otherwise, which our policy forbids and would report.
import { config } from "zod";

config({ jitless: true });
