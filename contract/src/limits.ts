import { z } from "zod";

const count = (fallback: number) => z.int().positive().default(fallback);

/**
 * Public limits that operators may change, with their defaults. Names include the unit. The browser reads them from
 * `/static/settings.json`.
 */
export const limits = z
  .object({
    cellTextCharacters: count(200).describe("Longer cell values are cut and offer 'See More'."),
    pageRows: count(25).describe("Rows asked for by one search request of the web app."),
    pagingMaxRows: count(1_000).describe("Largest `paging.max` a search may ask for."),
    unpagedMaxRows: count(10_000).describe("Rows of a search on a dataset without PAGINATION."),
    lookupRows: count(5_000_000).describe("Rows of a dataset whose columns are looked up by a key; one of more refuses the search."),
    sampleRows: count(25).describe("Rows of a sample."),
    filtersPerSearch: count(100).describe("Filters one search may carry."),
    filterListValues: count(1_000).describe("Values in the list of one filter; the lists of a search may have 5,000 together."),
    suggestionTimeoutMs: count(1_000).describe(
      "Counting values to suggest for a filter ends after this long, over all rows and then over the first ones. So does counting the rows of days for a calendar.",
    ),
    suggestionRows: count(100_000).describe("Fitting rows that are looked at for suggestions where all rows take too long."),
    polygonVertices: count(2_000).describe("Corners that the shapes of one search may have together."),
    gridCells: count(262_144).describe("Cells that the view of a map may have when its rows are counted; then 413."),
    gridFrameValues: count(250_000).describe("Cells with rows times steps with rows that the playback of a map may have; then 413."),
    mapRows: count(5_000).describe("Rows of a view that a map shows one by one."),
    mapItems: count(200_000).describe("Items of one map; a map of more is cut and says so."),
    pathPointsPerCall: count(10_000).describe("Points of an item's path that one call answers."),
    pathCallsWithoutWarning: count(10).describe("A path that takes more calls is loaded only after asking."),
    pathMinimumIntervalMs: count(1_000).describe("Of the points of a path within one such interval the first stays."),
    pathGapMs: count(3_600_000).describe("Points of a path that lie further apart are joined by a dashed red line."),
    staleWarningHours: count(24).describe("An item of the map without news for this long is amber."),
    staleErrorHours: count(72).describe("An item of the map without news for this long is rose."),
    graphColumns: count(5).describe("Columns of one graph."),
    graphGroupingsWarning: count(50).describe("A graph with more groupings warns that it may be slow."),
    graphConditionsPerGroup: count(5).describe("Conditions of one custom grouping of a graph."),
    graphBatchValues: count(50_000).describe("Values, groups times aggregations, that one aggregate call for a graph may ask for."),
    chunkLoadLimitMs: count(120_000).describe("After this long, a part of the application counts as not loadable."),
    queryTimeoutMs: count(60_000).describe("A query running longer is stopped and answers 504."),
    graphBatchComparisons: count(20_000).describe(
      "Comparisons, values times the conditions of their group, that one aggregate call may take; then 413. Steps of time take none.",
    ),
    breakdownCells: count(50_000).describe("Cells, entries of all groupings multiplied, that one breakdown may have; then 413."),
    answerCacheMb: count(64).describe(
      "Megabytes of answers to breakdowns and of maps' counts that one gateway keeps, for the same call on unchanged data.",
    ),
    engineSlots: count(4).describe("Queries the engine runs side by side."),
    engineSlotsPerUser: count(2).describe("Of these, queries of one user; where there are several slots, one is always left to others."),
    engineQueue: count(256).describe("Queries that may wait for a slot."),
    engineQueuePerUser: count(64).describe("Of these, queries of one user; then 429. Calls of one upstream wait by the same numbers."),
    engineWaitMs: count(30_000).describe("Longest wait for a slot before 503."),
    exportMaxRows: count(10_000_000).describe("Rows of one export; an export of more is cut and says so."),
    exportTimeoutMs: count(600_000).describe("An export running longer is stopped."),
    exportsAtOnce: count(2).describe("Exports that one gateway writes side by side; then 503."),
    exportsAtOncePerUser: count(1).describe("Exports of one user that run side by side; then 429."),
    exportsKeptPerUser: count(5).describe("Finished exports kept for one user; the oldest makes room for the next."),
    exportKeepMinutes: count(60).describe("A finished export is removed after this long."),
    exportFilesBytes: count(20_000_000_000).describe("Room for all export files together; an export that needs more is stopped."),
    exportMemoryMb: count(256).describe("Megabytes of memory that one running export may use; large sorts go to disk."),
    profileIntervalHours: count(24).describe("The profile of a dataset is computed again after this long."),
    profileTimeoutMs: count(600_000).describe("A scan of a dataset for its profile that runs longer is stopped."),
    convertedFilesBytes: count(2_000_000_000).describe(
      "Room for clean copies of text files that the engine cannot read as they are; what was used least recently makes room.",
    ),
    s3CacheBytes: count(20_000_000_000).describe(
      "Room for copies of the files of datasets on S3, in each gateway; what was used least recently makes room.",
    ),
    s3DatasetFiles: count(10_000).describe("Files that a dataset on S3 may have."),
    s3DownloadsAtOnce: count(8).describe("Files of datasets on S3 that one gateway copies side by side; more wait."),
    s3FetchMs: count(120_000).describe("A query whose files are not copied from S3 within this time answers 504; exports wait on."),
    upstreamConnectMs: count(10_000).describe("An upstream that takes no connection for this long is given up; 504."),
    upstreamReadMs: count(60_000).describe("An upstream whose answer is not there for this long is given up; 504."),
    upstreamAnswerBytes: count(50_000_000).describe("Largest answer of an upstream; 502 above."),
    upstreamReaders: count(2).describe("Large answers of upstreams that one gateway reads side by side; more wait as queries do."),
    upstreamReaderMemoryMb: count(512).describe(
      "Megabytes of memory that reading one large answer of an upstream may take; 502 where it needs more.",
    ),
    upstreamCalls: count(8).describe("Calls of one upstream side by side; more wait as queries do."),
    upstreamCallsPerUser: count(4).describe("Of these, calls of one user; where there are several, one is always left to others."),
    userCallsPerMinute: count(6_000).describe("Calls of one user, with those of all their API keys, in a minute; then 429."),
    apiKeyNameCharacters: count(100).describe("Longest name of an API key."),
    apiKeysPerUser: count(100).describe("API keys that one user may have."),
    apiKeyCallsPerMinute: count(600).describe("Calls that one API key may make in a minute; then 429."),
    storeConnectMs: count(5_000).describe("An S3 service that takes no connection for this long is given up; 502."),
    storeReadMs: count(20_000).describe("An S3 service that sends nothing for this long is given up; 502."),
    uploadMaxBytes: count(5_368_709_120).describe("Largest file that can be uploaded to a fileset; 413 above."),
    userDailyUploadBytes: count(53_687_091_200).describe("Bytes that one user may upload to filesets within 24 hours; then 507."),
    userDailyFlowBytes: count(2_000_000_000).describe("Bytes of flows that one user may add to flow requests within 24 hours; then 507."),
    uploadsAtOncePerUser: count(6).describe("Uploads of one user that one gateway receives side by side; then 429."),
    userUploadsPerMinute: count(1_000).describe("Uploads of one user in a minute; then 429."),
    downloadsAtOncePerUser: count(64).describe("Downloads of one user, files and zips, that one gateway sends side by side; then 429."),
    uploadIdleMs: count(60_000).describe("An upload that sends nothing for this long is ended."),
    uploadUrlMinutes: count(15).describe("How long the address for an upload is valid."),
    uploadPartsFromBytes: count(100_000_000).describe(
      "Files of this size or larger are uploaded in parts, which survives a lost connection.",
    ),
    uploadPartBytes: count(16_777_216).describe(
      "Size of a part; an S3 service takes at least 5 MiB. Larger for files of more than 10,000 parts.",
    ),
    uploadResumeHours: count(24).describe("An upload in parts can be continued for this long; then its parts are discarded."),
    unfinishedUploadsPerUser: count(100).describe("Uploads in parts that one user may leave unfinished; then 429."),
    ownDataBytesPerUser: count(2_000_000_000).describe(
      "Bytes of own datasets of one user, with originals and earlier versions; then 507. Administrators may set another room for single users.",
    ),
    ownDatasetsPerUser: count(100).describe("Own datasets of one user; then 409."),
    ownDataFileBytes: count(1_000_000_000).describe("Bytes of one file that becomes an own dataset; then 413."),
    ownDataTotalBytes: count(50_000_000_000).describe("Bytes of the own datasets of all users; then 507."),
    importsAtOnce: count(1).describe("Imports that one gateway reads or writes side by side; others wait."),
    scanTimeoutMs: count(120_000).describe("Longest scan of one uploaded file; then 502."),
    scansAtOnce: count(2).describe("Files that one gateway scans side by side; more wait."),
    docUrlMinutes: count(60).describe("How long the address of a doc's content or preview image is valid."),
    zipMaxFiles: count(10_000).describe("Files of one zip download; what is beyond is left out, as its manifest says."),
    zipMaxBytes: count(10_000_000_000).describe(
      "Bytes of all files of one zip download; what is beyond is left out, as its manifest says.",
    ),
    liveStreams: count(2_000).describe("Streams of live changes that one gateway keeps open; then 503, and tabs ask at intervals instead."),
    liveStreamsPerUser: count(10).describe("Of these, streams of one user, usually one for each browser; then 429."),
    boardBytesPerUser: count(50_000_000).describe(
      "Bytes of all boards of one user with their earlier revisions, the oldest of which make room; then 507.",
    ),
    alertsPerUser: count(50).describe("Alerts that one user may have."),
    alertLeastMinutes: count(5).describe("Shortest time between two checks of an alert."),
    alertChecksAtOnce: count(2).describe(
      "Alerts that one gateway checks side by side; of several, one is left to others than a single user, and they never take the last free slot of the engine.",
    ),
    alertCheckMs: count(30_000).describe("A check of an alert that takes longer is stopped and counts as failed."),
    alertLateHours: count(24).describe("Alerts on new rows also tell of rows that arrive up to this long after newer ones."),
    alertWebhookAttempts: count(8).describe("A webhook that fails so many times with one message gets no more."),
    alertHistoryDays: count(30).describe("What alerts found is kept for this long."),
    passwordMinCharacters: count(3).describe("Shortest password people may choose; 12 is recommended."),
  })
  .meta({ id: "Limits" });
export type Limits = z.infer<typeof limits>;

export const defaultLimits: Limits = limits.parse({});
