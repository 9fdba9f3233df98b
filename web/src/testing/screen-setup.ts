import "#lib/zod-jitless.ts";
import "#ui/base.css";
import "#ui/mantine.css";
import "#features/search/search-extensions.ts";
import { afterEach, beforeEach } from "vitest";
import { beginPage, endPage } from "./describe-screen.tsx";

beforeEach(beginPage);
afterEach(endPage);
