import { describeAnswers } from "#testing/answers-suite.ts";

describeAnswers("files (DuckDB)", { seeds: Array.from({ length: 50 }, (_, index) => 100 + index), filters: 150, breakdowns: 30 });
