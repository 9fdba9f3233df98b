/** Kinds of files that can be read. A phone offers its files then, and no photos. */
export const acceptedFiles =
  ".csv,.tsv,.tab,.txt,.json,.jsonl,.ndjson,.geojson,.parquet,.xlsx,.zip,.gz,text/csv,text/tab-separated-values,application/json,application/geo+json,application/zip,application/gzip,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
