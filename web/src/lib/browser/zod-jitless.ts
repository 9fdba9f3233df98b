// Must be imported before any schema is used. Otherwise zod probes `new Function`, which the Content-Security-Policy blocks and reports.
import { config } from "zod";

config({ jitless: true });
