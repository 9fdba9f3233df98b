const connection = `
Environment:
  FAIRWAY_URL       address of the portal, such as https://data.example.org
  FAIRWAY_API_KEY   one of your API keys (portal: Profile, API Keys)

Exit codes:
  0 done   1 failed   2 wrong arguments   3 not allowed   4 not found
  5 portal cannot be reached   6 a file would be replaced   130 interrupted
`;

const matching = `
Search options:
  --from TIME, --to TIME   2005-08-23, 2005-08-29T12:00, or with an offset; UTC by default, both included
  --where CONDITION        such as 'wind>=64', 'basin in NA,EP', 'wind between 50 and 90', 'name contains "ri"',
                           'time when Saturday, Sunday' or 'wind>=64 or pressure<950'; repeatable, all have to match
  --compute NAME=FORMULA   a further column, such as 'late=delay > 15', which other options may name; repeatable
`;

const query = `${matching.trimEnd()}
  --sort COLUMN[:desc]     repeatable
  --columns A,B            only these, in this order
`;

export const help = {
  "": `Usage: fairway COMMAND [options]

Commands:
  datasets                        list the datasets that your key can read
  find TEXT                       list the datasets that match a text
  describe DATASET                list the columns of a dataset
  search DATASET                  print rows
  count DATASET                   print how many rows match
  summarize DATASET               print figures of groups: averages, medians, rates, rankings
  export DATASET --output FILE    write all rows that match to a file
  boards                          list your boards and those shared with you
  alerts                          list your alerts and their last checks
  filesets                        list the filesets that your key can read
  files ls FILESET [FOLDER]       list files
  files get FILESET PATH...       copy files here
  files put FILESET LOCAL...      copy files to the portal
  files rm FILESET PATH...        delete files (administrators only)

  fairway COMMAND --help          explain a command
  fairway --version

DATASET is category/id, as 'fairway datasets' lists it.
${connection}`,
  datasets: `Usage: fairway datasets [--format table|csv|json|ndjson]
${connection}`,
  find: `Usage: fairway find TEXT [--format table|csv|json|ndjson]

Searches names, tags, columns and descriptions. The best match comes first.
${connection}`,
  describe: `Usage: fairway describe DATASET [--format table|csv|json|ndjson]

Prints columns with their types. With --format json: also filters and features.
${connection}`,
  search: `Usage: fairway search DATASET [options]

  fairway search Weather/storm-tracks --from 2005-08-23 --to 2005-08-31 --where 'wind>=64' --format csv
${query}
Output options:
  --format table|csv|json|ndjson   default: table
  --limit N|all                    default: 1000
  --iso-times                      times as ISO 8601 also outside of tables, instead of epoch numbers
${connection}`,
  count: `Usage: fairway count DATASET [options]
${query}${connection}`,
  summarize: `Usage: fairway summarize DATASET [options]

  fairway summarize Travel/flights --by origin --measure 'avg(delay)' --top 20 --having 'count>=100'
  fairway summarize Travel/flights --by :month --by origin --measure 'rate where delay>=15' --top 5 --other

Every figure is computed from rows. A table ends with all rows that match; JSON has them as "total".

Groups:
  --by COLUMN              by values; repeatable, up to three
  --by COLUMN:STEP         by time: minute, hour, day, week, month, quarter or year; without COLUMN that of the dataset
  --by COLUMN:PART         by dayOfWeek, hourOfDay, monthOfYear, minuteOfHour, dayOfMonth, weekOfYear or quarterOfYear
  --by COLUMN:width=N      by ranges of numbers; also edges=N,N,N, or about=N for round ranges
  --zone ZONE              of steps and parts, such as America/New_York; default: UTC
  --top N                  only the best of the first column, by the first measure
  --other                  with --top: all others as one group
  --having CONDITION       only groups such as 'count>=100'; repeatable

Figures:
  --measure MEASURE        count, count(COLUMN), distinct(COLUMN), sum(COLUMN), avg(COLUMN), median(COLUMN), p90(COLUMN),
                           min(COLUMN), max(COLUMN), stddev(COLUMN), share or rate; repeatable; default: count.
                           'rate where wind>=64' is the percentage of these rows; every measure takes a condition
  --compare before         and with the time before: as many whole months or days; or year-before
${matching}
Output options:
  --format table|csv|json|ndjson   default: table
${connection}`,
  export: `Usage: fairway export DATASET --output FILE [options]

The portal writes the file first, which suits large results. '--output -' prints it.
${query}
Output options:
  --format csv|json|parquet|arrow|xlsx   default: by the name of the file; 'arrow' is a stream (.arrows)
  --output FILE
  --force                                replace the file
${connection}`,
  boards: `Usage: fairway boards [--format table|csv|json|ndjson]
${connection}`,
  alerts: `Usage: fairway alerts [--format table|csv|json|ndjson]

Only alerts on datasets that the key can read.
${connection}`,
  filesets: `Usage: fairway filesets [--format table|csv|json|ndjson]
${connection}`,
  "files ls": `Usage: fairway files ls FILESET [FOLDER] [--recursive] [--format table|csv|json|ndjson]
${connection}`,
  "files get": `Usage: fairway files get FILESET PATH... [--to FOLDER] [--recursive] [--force]

Options:
  --to FOLDER    default: the current one; '-' prints the files
  --recursive    also folders; '.' for the whole fileset
  --force        replace files
${connection}`,
  "files put": `Usage: fairway files put FILESET LOCAL... [--to FOLDER] [--recursive] [--force]

Options:
  --to FOLDER    folder of the fileset; default: its root
  --recursive    also folders, with what is in them
  --force        replace files
${connection}`,
  "files rm": `Usage: fairway files rm FILESET PATH...

Deletes files for good. Only administrators can do this, with an access token in FAIRWAY_API_KEY: API keys cannot delete files.
${connection}`,
};
export type Command = Exclude<keyof typeof help, "">;
