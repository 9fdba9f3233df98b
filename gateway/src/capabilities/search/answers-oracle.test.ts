import { describeAnswers } from "#testing/answers-suite.ts";

describeAnswers("files (DuckDB)", { seeds: [1, 2], filters: 40, breakdowns: 8 });
