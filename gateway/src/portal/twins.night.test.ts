import { bucketSubject, fileLayouts, filesSubject } from "#testing/twins-subjects.ts";
import { describeTwins } from "#testing/twins-suite.ts";

const { partitions, csv, csvFolders, jsonLines, jsonArray, workbook } = fileLayouts;

describeTwins("Parquet files in folders by their values", () => filesSubject(partitions));
describeTwins("CSV", () => filesSubject(csv));
describeTwins("several CSV files", () => filesSubject(csvFolders));
describeTwins("JSON lines", () => filesSubject(jsonLines));
describeTwins("a JSON array", () => filesSubject(jsonArray));
describeTwins("workbooks", () => filesSubject(workbook));
describeTwins("Parquet files of a bucket", () => bucketSubject(partitions));
describeTwins("CSV of a bucket", () => bucketSubject(csvFolders));
describeTwins("JSON of a bucket", () => bucketSubject(jsonLines));
