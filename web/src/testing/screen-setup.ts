import "#lib/browser/zod-jitless.ts";
import "#ui/theme/base.css";
import "#ui/theme/mantine.css";
import "#features/search/search-extensions.ts";
import { afterEach, beforeEach } from "vitest";
import { beginPage, endPage } from "./open-once.tsx";

beforeEach(beginPage);
afterEach(endPage);
