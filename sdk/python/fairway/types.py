"""Types of requests and answers, generated from the OpenAPI document by sdk/build."""
from __future__ import annotations

from typing import Any, Dict, List, Literal, TypedDict, Union


AggregateAnswer = Dict[str, Union[str, float, bool, None]]

AggregateBatchGroupsTimeRange = TypedDict("AggregateBatchGroupsTimeRange", {
    "start": str,
    "end": str,
}, total=False)

AggregateBatchGroupsFilters = TypedDict("AggregateBatchGroupsFilters", {
    "name": str,
    "value": Union[str, float, bool, None],
    "operator": Literal["=", "<>", "<", "<=", ">", ">="],
})

_AggregateBatchGroups = TypedDict("_AggregateBatchGroups", {
    "id": str,
})


class AggregateBatchGroups(_AggregateBatchGroups, total=False):
    timeRange: "AggregateBatchGroupsTimeRange"
    filters: List["AggregateBatchGroupsFilters"]


AggregateBatchAggregations = TypedDict("AggregateBatchAggregations", {
    "aggregation": str,
    "column": str,
})

AggregateBatch = TypedDict("AggregateBatch", {
    "search": "SearchData",
    "groups": List["AggregateBatchGroups"],
    "aggregations": List["AggregateBatchAggregations"],
})

AggregateBatchAnswerGroups = TypedDict("AggregateBatchAnswerGroups", {
    "id": str,
    "values": List[Union[str, float, bool, None]],
})

AggregateBatchAnswer = TypedDict("AggregateBatchAnswer", {
    "groups": List["AggregateBatchAnswerGroups"],
})

AlertSavedSearch = TypedDict("AlertSavedSearch", {
    "id": str,
    "name": str,
})

AlertWebhook = TypedDict("AlertWebhook", {
    "url": str,
    "state": Literal["ok", "failing", "dead"],
    "problem": str,
})

AlertSeen = TypedDict("AlertSeen", {
    "rows": Union[int, None],
    "newestMs": Union[float, None],
})

Alert = TypedDict("Alert", {
    "id": str,
    "name": str,
    "savedSearch": Union["AlertSavedSearch", None],
    "dataset": "DatasetRef",
    "link": Union[str, None],
    "condition": "AlertCondition",
    "everyMinutes": int,
    "tellWhenOver": bool,
    "email": bool,
    "webhook": Union["AlertWebhook", None],
    "state": Literal["new", "ok", "firing", "snoozed", "paused"],
    "pausedBy": Union[Literal["owner", "portal", "administrator"], None],
    "reason": str,
    "snoozedUntilMs": Union[float, None],
    "lastCheckedMs": Union[float, None],
    "nextCheckMs": Union[float, None],
    "seen": Union["AlertSeen", None],
    "createdDateMs": float,
})

AlertCheckSeen = TypedDict("AlertCheckSeen", {
    "rows": Union[int, None],
    "newestMs": Union[float, None],
    "newRows": Union[int, None],
})

AlertCheck = TypedDict("AlertCheck", {
    "id": str,
    "checkedMs": float,
    "kind": Literal["ok", "firing", "failed", "paused", "resumed"],
    "seen": Union["AlertCheckSeen", None],
    "told": List[Literal["portal", "email", "webhook"]],
    "reason": str,
    "durationMs": int,
})

AlertConditionNewRows = TypedDict("AlertConditionNewRows", {
    "kind": Literal["new-rows"],
})

AlertConditionAbove = TypedDict("AlertConditionAbove", {
    "kind": Literal["above"],
    "rows": int,
})

AlertConditionBelow = TypedDict("AlertConditionBelow", {
    "kind": Literal["below"],
    "rows": int,
})

AlertConditionChanged = TypedDict("AlertConditionChanged", {
    "kind": Literal["changed"],
    "percent": float,
})

AlertCondition = Union["AlertConditionNewRows", "AlertConditionAbove", "AlertConditionBelow", "AlertConditionChanged"]

AlertHistory = TypedDict("AlertHistory", {
    "checks": List["AlertCheck"],
    "hasMore": bool,
})

_AlertList = TypedDict("_AlertList", {
    "alerts": List["Alert"],
    "emailAddress": Union[str, None],
})


class AlertList(_AlertList, total=False):
    sendsEmail: bool


Board = TypedDict("Board", {
    "id": str,
    "name": str,
    "description": str,
    "owner": str,
    "isOwn": bool,
    "sharedWithRoles": List[str],
    "panels": int,
    "version": int,
    "createdDateMs": float,
    "updatedDateMs": float,
    "content": "BoardContent",
})

_BoardContentTimeRange = TypedDict("_BoardContentTimeRange", {
    "last": str,
})


class BoardContentTimeRange(_BoardContentTimeRange, total=False):
    start: str
    end: str


BoardContentTimeRange = TypedDict("BoardContentTimeRange", {
    "start": str,
    "end": str,
    "last": Any,
}, total=False)

BoardContentGeospatial = TypedDict("BoardContentGeospatial", {
    "polygons": List[str],
})

_BoardContent = TypedDict("_BoardContent", {
    "refreshMinutes": Union[int, None],
    "panels": List["BoardPanel"],
})


class BoardContent(_BoardContent, total=False):
    timeRange: Union["BoardContentTimeRange", "BoardContentTimeRange"]
    geospatial: "BoardContentGeospatial"


BoardPanelText = TypedDict("BoardPanelText", {
    "kind": Literal["text"],
    "title": str,
    "text": str,
    "id": str,
    "place": "PanelPlace",
})

_BoardPanelNumberQueryTimeRange = TypedDict("_BoardPanelNumberQueryTimeRange", {
    "last": str,
})


class BoardPanelNumberQueryTimeRange(_BoardPanelNumberQueryTimeRange, total=False):
    start: str
    end: str


BoardPanelNumberQueryTimeRange = TypedDict("BoardPanelNumberQueryTimeRange", {
    "start": str,
    "end": str,
    "last": Any,
}, total=False)

BoardPanelNumberQueryGeospatial = TypedDict("BoardPanelNumberQueryGeospatial", {
    "polygons": List[str],
})

BoardPanelNumberQueryFilters = TypedDict("BoardPanelNumberQueryFilters", {
    "name": str,
    "value": Union[str, float, bool, None],
    "operator": Literal["=", "<>", "<", "<=", ">", ">="],
})

BoardPanelNumberQuerySort = TypedDict("BoardPanelNumberQuerySort", {
    "column": str,
    "direction": Literal["asc", "desc"],
})

_BoardPanelNumberQuery = TypedDict("_BoardPanelNumberQuery", {
    "filters": List["BoardPanelNumberQueryFilters"],
})


class BoardPanelNumberQuery(_BoardPanelNumberQuery, total=False):
    timeRange: Union["BoardPanelNumberQueryTimeRange", "BoardPanelNumberQueryTimeRange"]
    geospatial: "BoardPanelNumberQueryGeospatial"
    columns: List[str]
    sort: List["BoardPanelNumberQuerySort"]
    view: Literal["table", "raw", "map", "graphs"]


BoardPanelNumberValue = TypedDict("BoardPanelNumberValue", {
    "aggregation": Literal["count", "avg", "min", "max", "sum"],
    "column": str,
})

BoardPanelNumber = TypedDict("BoardPanelNumber", {
    "kind": Literal["number"],
    "title": str,
    "dataset": "DatasetRef",
    "query": "BoardPanelNumberQuery",
    "value": "BoardPanelNumberValue",
    "id": str,
    "place": "PanelPlace",
})

_BoardPanelGraphQueryTimeRange = TypedDict("_BoardPanelGraphQueryTimeRange", {
    "last": str,
})


class BoardPanelGraphQueryTimeRange(_BoardPanelGraphQueryTimeRange, total=False):
    start: str
    end: str


BoardPanelGraphQueryTimeRange = TypedDict("BoardPanelGraphQueryTimeRange", {
    "start": str,
    "end": str,
    "last": Any,
}, total=False)

BoardPanelGraphQueryGeospatial = TypedDict("BoardPanelGraphQueryGeospatial", {
    "polygons": List[str],
})

BoardPanelGraphQueryFilters = TypedDict("BoardPanelGraphQueryFilters", {
    "name": str,
    "value": Union[str, float, bool, None],
    "operator": Literal["=", "<>", "<", "<=", ">", ">="],
})

BoardPanelGraphQuerySort = TypedDict("BoardPanelGraphQuerySort", {
    "column": str,
    "direction": Literal["asc", "desc"],
})

_BoardPanelGraphQuery = TypedDict("_BoardPanelGraphQuery", {
    "filters": List["BoardPanelGraphQueryFilters"],
})


class BoardPanelGraphQuery(_BoardPanelGraphQuery, total=False):
    timeRange: Union["BoardPanelGraphQueryTimeRange", "BoardPanelGraphQueryTimeRange"]
    geospatial: "BoardPanelGraphQueryGeospatial"
    columns: List[str]
    sort: List["BoardPanelGraphQuerySort"]
    view: Literal["table", "raw", "map", "graphs"]


BoardPanelGraph = TypedDict("BoardPanelGraph", {
    "kind": Literal["graph"],
    "title": str,
    "dataset": "DatasetRef",
    "query": "BoardPanelGraphQuery",
    "graph": Dict[str, Any],
    "id": str,
    "place": "PanelPlace",
})

_BoardPanelTableQueryTimeRange = TypedDict("_BoardPanelTableQueryTimeRange", {
    "last": str,
})


class BoardPanelTableQueryTimeRange(_BoardPanelTableQueryTimeRange, total=False):
    start: str
    end: str


BoardPanelTableQueryTimeRange = TypedDict("BoardPanelTableQueryTimeRange", {
    "start": str,
    "end": str,
    "last": Any,
}, total=False)

BoardPanelTableQueryGeospatial = TypedDict("BoardPanelTableQueryGeospatial", {
    "polygons": List[str],
})

BoardPanelTableQueryFilters = TypedDict("BoardPanelTableQueryFilters", {
    "name": str,
    "value": Union[str, float, bool, None],
    "operator": Literal["=", "<>", "<", "<=", ">", ">="],
})

BoardPanelTableQuerySort = TypedDict("BoardPanelTableQuerySort", {
    "column": str,
    "direction": Literal["asc", "desc"],
})

_BoardPanelTableQuery = TypedDict("_BoardPanelTableQuery", {
    "filters": List["BoardPanelTableQueryFilters"],
})


class BoardPanelTableQuery(_BoardPanelTableQuery, total=False):
    timeRange: Union["BoardPanelTableQueryTimeRange", "BoardPanelTableQueryTimeRange"]
    geospatial: "BoardPanelTableQueryGeospatial"
    columns: List[str]
    sort: List["BoardPanelTableQuerySort"]
    view: Literal["table", "raw", "map", "graphs"]


BoardPanelTable = TypedDict("BoardPanelTable", {
    "kind": Literal["table"],
    "title": str,
    "dataset": "DatasetRef",
    "query": "BoardPanelTableQuery",
    "id": str,
    "place": "PanelPlace",
})

_BoardPanelMapQueryTimeRange = TypedDict("_BoardPanelMapQueryTimeRange", {
    "last": str,
})


class BoardPanelMapQueryTimeRange(_BoardPanelMapQueryTimeRange, total=False):
    start: str
    end: str


BoardPanelMapQueryTimeRange = TypedDict("BoardPanelMapQueryTimeRange", {
    "start": str,
    "end": str,
    "last": Any,
}, total=False)

BoardPanelMapQueryGeospatial = TypedDict("BoardPanelMapQueryGeospatial", {
    "polygons": List[str],
})

BoardPanelMapQueryFilters = TypedDict("BoardPanelMapQueryFilters", {
    "name": str,
    "value": Union[str, float, bool, None],
    "operator": Literal["=", "<>", "<", "<=", ">", ">="],
})

BoardPanelMapQuerySort = TypedDict("BoardPanelMapQuerySort", {
    "column": str,
    "direction": Literal["asc", "desc"],
})

_BoardPanelMapQuery = TypedDict("_BoardPanelMapQuery", {
    "filters": List["BoardPanelMapQueryFilters"],
})


class BoardPanelMapQuery(_BoardPanelMapQuery, total=False):
    timeRange: Union["BoardPanelMapQueryTimeRange", "BoardPanelMapQueryTimeRange"]
    geospatial: "BoardPanelMapQueryGeospatial"
    columns: List[str]
    sort: List["BoardPanelMapQuerySort"]
    view: Literal["table", "raw", "map", "graphs"]


_BoardPanelMap = TypedDict("_BoardPanelMap", {
    "kind": Literal["map"],
    "title": str,
    "dataset": "DatasetRef",
    "query": "BoardPanelMapQuery",
    "id": str,
    "place": "PanelPlace",
})


class BoardPanelMap(_BoardPanelMap, total=False):
    colorBy: str
    sizeBy: str


BoardPanelHidden = TypedDict("BoardPanelHidden", {
    "kind": Literal["hidden"],
    "id": str,
    "place": "PanelPlace",
})

BoardPanel = Union["BoardPanelText", "BoardPanelNumber", "BoardPanelGraph", "BoardPanelTable", "BoardPanelMap", "BoardPanelHidden"]

BoardSummary = TypedDict("BoardSummary", {
    "id": str,
    "name": str,
    "description": str,
    "owner": str,
    "isOwn": bool,
    "sharedWithRoles": List[str],
    "panels": int,
    "version": int,
    "createdDateMs": float,
    "updatedDateMs": float,
})

CatalogEntry = TypedDict("CatalogEntry", {
    "dataset": "DatasetRef",
    "description": str,
    "communityDescription": str,
    "containsLocationData": bool,
    "supportsMapResults": bool,
})

_CatalogHit = TypedDict("_CatalogHit", {
    "dataset": "DatasetRef",
    "description": str,
    "communityDescription": str,
    "containsLocationData": bool,
    "supportsMapResults": bool,
    "matches": List["CatalogMatch"],
})


class CatalogHit(_CatalogHit, total=False):
    missing: List[str]


CatalogHits = TypedDict("CatalogHits", {
    "total": int,
    "hits": List["CatalogHit"],
})

CatalogMatchRanges = TypedDict("CatalogMatchRanges", {
    "start": int,
    "end": int,
})

CatalogMatch = TypedDict("CatalogMatch", {
    "field": Literal["name", "category", "tag", "column", "description", "columnDescription"],
    "layer": Literal["system", "community", "private"],
    "columnName": Union[str, None],
    "text": str,
    "ranges": List["CatalogMatchRanges"],
})

ColumnCombined = TypedDict("ColumnCombined", {
    "type": Literal["COORDINATES", "FILESET"],
    "fields": List[str],
    "joinedBy": str,
})

_Column = TypedDict("_Column", {
    "name": str,
    "type": Literal["STRING", "BOOLEAN", "integer", "decimal", "TIMESTAMP_SECONDS", "TIMESTAMP_MILLS"],
    "description": str,
    "combined": Union["ColumnCombined", None],
})


class Column(_Column, total=False):
    unit: str
    day: bool


ColumnDistributions = TypedDict("ColumnDistributions", {
    "rows": int,
    "countedRows": int,
    "columns": List["ProfiledColumn"],
})

ColumnDistributionsRequestPaging = TypedDict("ColumnDistributionsRequestPaging", {
    "offset": int,
    "max": int,
})

ColumnDistributionsRequestTimeRange = TypedDict("ColumnDistributionsRequestTimeRange", {
    "start": str,
    "end": str,
}, total=False)

ColumnDistributionsRequestGeospatial = TypedDict("ColumnDistributionsRequestGeospatial", {
    "polygons": List[str],
    "antimeridianPolygons": bool,
})

ColumnDistributionsRequestFilters = TypedDict("ColumnDistributionsRequestFilters", {
    "name": str,
    "value": Union[str, float, bool, None],
    "operator": Literal["=", "<>", "<", "<=", ">", ">="],
})

ColumnDistributionsRequestSort = TypedDict("ColumnDistributionsRequestSort", {
    "column": str,
    "direction": Literal["asc", "desc"],
})

_ColumnDistributionsRequest = TypedDict("_ColumnDistributionsRequest", {
    "columns": List[str],
})


class ColumnDistributionsRequest(_ColumnDistributionsRequest, total=False):
    paging: "ColumnDistributionsRequestPaging"
    timeRange: "ColumnDistributionsRequestTimeRange"
    geospatial: "ColumnDistributionsRequestGeospatial"
    filters: List["ColumnDistributionsRequestFilters"]
    sort: List["ColumnDistributionsRequestSort"]


ColumnProfileTop = TypedDict("ColumnProfileTop", {
    "value": Union[str, float, bool, None],
    "rows": int,
})

ColumnProfileHistogram = TypedDict("ColumnProfileHistogram", {
    "from": float,
    "to": float,
    "rows": int,
})

ColumnProfile = TypedDict("ColumnProfile", {
    "rows": int,
    "empty": int,
    "distinct": int,
    "min": Union[str, float, bool, None],
    "max": Union[str, float, bool, None],
    "top": List["ColumnProfileTop"],
    "histogram": List["ColumnProfileHistogram"],
})

DatasetCategoryDatasets = TypedDict("DatasetCategoryDatasets", {
    "datasetCategory": str,
    "datasetId": str,
    "description": str,
    "supportsMapResults": bool,
})

DatasetCategory = TypedDict("DatasetCategory", {
    "id": str,
    "description": str,
    "datasets": List["DatasetCategoryDatasets"],
})

DatasetDescriptionCategory = TypedDict("DatasetDescriptionCategory", {
    "id": str,
    "description": str,
})

DatasetDescriptionSchema = TypedDict("DatasetDescriptionSchema", {
    "columns": List["Column"],
})

DatasetDescriptionFilterSupport = TypedDict("DatasetDescriptionFilterSupport", {
    "supportsTimeRange": bool,
    "supportsGeospatial": bool,
    "supportsAdvancedFiltering": bool,
    "requiredOrFields": Union[List[str], None],
    "staticFilters": List["FieldFilter"],
    "preFilledFilters": List["FieldFilter"],
    "additionalFilters": List["FieldFilter"],
})

_DatasetDescriptionLinkedDatasetsFilters = TypedDict("_DatasetDescriptionLinkedDatasetsFilters", {
    "name": str,
    "operator": Literal["=", "<>", "<", "<=", ">", ">="],
})


class DatasetDescriptionLinkedDatasetsFilters(_DatasetDescriptionLinkedDatasetsFilters, total=False):
    value: Union[str, float, bool]
    fromColumn: str


DatasetDescriptionLinkedDatasets = TypedDict("DatasetDescriptionLinkedDatasets", {
    "datasetCategory": str,
    "datasetId": str,
    "display": str,
    "filters": List["DatasetDescriptionLinkedDatasetsFilters"],
})

_DatasetDescriptionMapSupport = TypedDict("_DatasetDescriptionMapSupport", {
    "groupItemField": str,
    "itemLocationField": str,
    "itemTemporalField": str,
})


class DatasetDescriptionMapSupport(_DatasetDescriptionMapSupport, total=False):
    colorField: Union[str, None]
    sizeField: Union[str, None]


DatasetDescriptionTimeExtent = TypedDict("DatasetDescriptionTimeExtent", {
    "startMs": float,
    "endMs": float,
})

DatasetDescription = TypedDict("DatasetDescription", {
    "category": "DatasetDescriptionCategory",
    "datasetId": str,
    "description": str,
    "schema": "DatasetDescriptionSchema",
    "features": List[Literal["SAMPLE", "PAGINATION", "COUNT"]],
    "assists": List[Literal["SORTING", "SUGGESTIONS", "PROFILE", "EXPORT"]],
    "filterSupport": "DatasetDescriptionFilterSupport",
    "linkedDatasets": List["DatasetDescriptionLinkedDatasets"],
    "faMapIcon": Union[str, None],
    "mapSupport": Union["DatasetDescriptionMapSupport", None],
    "titleField": Union[str, None],
    "subtitleField": Union[str, None],
    "temporalField": Union[str, None],
    "timeExtent": Union["DatasetDescriptionTimeExtent", None],
})

DatasetRef = TypedDict("DatasetRef", {
    "datasetCategory": str,
    "datasetId": str,
})

_DatasetSchemaColumns = TypedDict("_DatasetSchemaColumns", {
    "id": str,
    "name": str,
    "type": int,
    "description": str,
    "communityDescription": str,
    "userDescription": str,
})


class DatasetSchemaColumns(_DatasetSchemaColumns, total=False):
    unit: str
    day: bool


DatasetSchema = TypedDict("DatasetSchema", {
    "dataset": "DatasetRef",
    "description": str,
    "communityDescription": str,
    "userDescription": str,
    "containsLocationData": bool,
    "supportsMapResults": bool,
    "columns": List["DatasetSchemaColumns"],
})

DescriptionLayerColumns = TypedDict("DescriptionLayerColumns", {
    "name": str,
    "description": str,
})

DescriptionLayer = TypedDict("DescriptionLayer", {
    "description": str,
    "columns": List["DescriptionLayerColumns"],
})

DescriptionRevisionColumns = TypedDict("DescriptionRevisionColumns", {
    "name": str,
    "description": str,
})

DescriptionRevision = TypedDict("DescriptionRevision", {
    "description": str,
    "columns": List["DescriptionRevisionColumns"],
    "version": int,
    "username": str,
    "suggestedBy": Union[str, None],
    "savedMs": float,
})

DescriptionsDraftColumnDescriptions = TypedDict("DescriptionsDraftColumnDescriptions", {
    "columnName": str,
    "description": str,
})

DescriptionsDraft = TypedDict("DescriptionsDraft", {
    "description": str,
    "columnDescriptions": List["DescriptionsDraftColumnDescriptions"],
})

_ErrorsErrors = TypedDict("_ErrorsErrors", {
    "code": Literal["invalid-request", "malformed-json", "unknown-column", "unknown-operator", "unknown-aggregation", "invalid-value", "reversed-range", "not-supported", "missing-filter", "not-signed-in", "wrong-credentials", "invalid-refresh-token", "sign-in-again", "provider-ended", "forbidden", "second-factor-required", "not-found", "method-not-allowed", "name-taken", "stale-version", "in-use", "conflict", "too-large", "unsupported-media-type", "range-not-satisfiable", "host-not-allowed", "infected", "too-many-requests", "abandoned", "internal", "upstream-failed", "engine-busy", "not-ready", "timed-out", "no-room"],
    "message": str,
})


class ErrorsErrors(_ErrorsErrors, total=False):
    path: str


_Errors = TypedDict("_Errors", {
    "errors": List["ErrorsErrors"],
})


class Errors(_Errors, total=False):
    current: Any


_ExportDraft = TypedDict("_ExportDraft", {
    "format": Literal["csv", "json", "parquet", "arrow"],
    "search": "SearchData",
})


class ExportDraft(_ExportDraft, total=False):
    columns: List[str]


ExportManifestPreFilledFilters = TypedDict("ExportManifestPreFilledFilters", {
    "name": str,
    "operator": Literal["=", "<>", "<", "<=", ">", ">="],
    "value": Union[str, float, bool, None],
})

ExportManifestFile = TypedDict("ExportManifestFile", {
    "name": str,
    "bytes": int,
})

ExportManifest = TypedDict("ExportManifest", {
    "exportId": str,
    "dataset": "DatasetRef",
    "format": Literal["csv", "json", "parquet", "arrow"],
    "columns": List[str],
    "query": "ExportedSearch",
    "preFilledFilters": List["ExportManifestPreFilledFilters"],
    "user": str,
    "startedAt": str,
    "finishedAt": str,
    "runMs": int,
    "rows": int,
    "totalRows": Union[int, None],
    "cut": bool,
    "maxRows": int,
    "file": "ExportManifestFile",
})

ExportStateFile = TypedDict("ExportStateFile", {
    "name": str,
    "bytes": int,
})

ExportState = TypedDict("ExportState", {
    "exportId": str,
    "status": Literal["running", "done", "failed", "cancelled"],
    "rows": int,
    "totalRows": Union[int, None],
    "cut": bool,
    "failure": Union[str, None],
    "file": Union["ExportStateFile", None],
})

ExportedSearchPaging = TypedDict("ExportedSearchPaging", {
    "offset": int,
    "max": int,
})

ExportedSearchTimeRange = TypedDict("ExportedSearchTimeRange", {
    "start": str,
    "end": str,
})

ExportedSearchGeospatial = TypedDict("ExportedSearchGeospatial", {
    "polygons": List[str],
    "antimeridianPolygons": bool,
})

ExportedSearchFilters = TypedDict("ExportedSearchFilters", {
    "name": str,
    "value": Union[str, float, bool, None],
    "operator": Literal["=", "<>", "<", "<=", ">", ">="],
})

ExportedSearchSort = TypedDict("ExportedSearchSort", {
    "column": str,
    "direction": Literal["asc", "desc"],
})

_ExportedSearch = TypedDict("_ExportedSearch", {
    "filters": List["ExportedSearchFilters"],
})


class ExportedSearch(_ExportedSearch, total=False):
    paging: "ExportedSearchPaging"
    timeRange: "ExportedSearchTimeRange"
    geospatial: "ExportedSearchGeospatial"
    columns: List[str]
    sort: List["ExportedSearchSort"]


_FieldFilter = TypedDict("_FieldFilter", {
    "id": str,
    "name": str,
    "display": str,
    "description": str,
    "required": bool,
    "type": Union[Literal["STRING", "BOOLEAN", "integer", "decimal", "TIMESTAMP_SECONDS", "TIMESTAMP_MILLS"], Literal["number"]],
    "value": Union[str, float, bool, None],
    "operator": Literal["=", "<>", "<", "<=", ">", ">="],
    "preFilled": bool,
})


class FieldFilter(_FieldFilter, total=False):
    operators: List[Literal["=", "<>", "<", "<=", ">", ">="]]
    day: bool


FilesetEntry = TypedDict("FilesetEntry", {
    "id": str,
    "description": str,
    "allowsUploads": bool,
})

FilesetFile = TypedDict("FilesetFile", {
    "filename": str,
    "size": int,
    "lastModified": str,
})

_FilesetListing = TypedDict("_FilesetListing", {
    "files": List["FilesetFile"],
    "commonPrefixes": List[str],
    "nextContinuationToken": Union[str, None],
})


class FilesetListing(_FilesetListing, total=False):
    leftOut: List[str]


PanelPlace = TypedDict("PanelPlace", {
    "x": int,
    "y": int,
    "w": int,
    "h": int,
})

PathCount = TypedDict("PathCount", {
    "totalResults": int,
})

PathDataPaging = TypedDict("PathDataPaging", {
    "offset": int,
    "max": int,
})

PathDataTimeRange = TypedDict("PathDataTimeRange", {
    "start": str,
    "end": str,
}, total=False)

PathDataGeospatial = TypedDict("PathDataGeospatial", {
    "polygons": List[str],
    "antimeridianPolygons": bool,
})

PathDataFilters = TypedDict("PathDataFilters", {
    "name": str,
    "value": Union[str, float, bool, None],
    "operator": Literal["=", "<>", "<", "<=", ">", ">="],
})

PathDataSort = TypedDict("PathDataSort", {
    "column": str,
    "direction": Literal["asc", "desc"],
})

PathData = TypedDict("PathData", {
    "paging": "PathDataPaging",
    "timeRange": "PathDataTimeRange",
    "geospatial": "PathDataGeospatial",
    "filters": List["PathDataFilters"],
    "columns": List[str],
    "sort": List["PathDataSort"],
    "minimumIntervalMs": int,
}, total=False)

PreviewReading = TypedDict("PreviewReading", {
    "encoding": Literal["utf-8", "utf-16le", "utf-16be", "windows-1252", "windows-1250", "windows-1251", "windows-1253", "windows-1254", "windows-1255", "windows-1256", "windows-1257", "windows-1258", "windows-874", "iso-8859-2", "iso-8859-3", "iso-8859-4", "iso-8859-5", "iso-8859-6", "iso-8859-7", "iso-8859-8", "iso-8859-10", "iso-8859-13", "iso-8859-14", "iso-8859-15", "koi8-r", "koi8-u", "macintosh", "x-mac-cyrillic", "ibm866", "ibm437", "ibm850", "ibm852", "gb18030", "gbk", "big5", "shift_jis", "euc-jp", "iso-2022-jp", "euc-kr"],
    "encodingState": Literal["sure", "assumed", "mixed"],
    "sentence": Union[str, None],
    "delimiter": Union[str, None],
    "quote": Union[str, None],
    "headerLine": Union[int, None],
    "skipLines": int,
})

ProfiledColumnTop = TypedDict("ProfiledColumnTop", {
    "value": Union[str, float, bool, None],
    "rows": int,
})

ProfiledColumnHistogram = TypedDict("ProfiledColumnHistogram", {
    "from": float,
    "to": float,
    "rows": int,
})

ProfiledColumn = TypedDict("ProfiledColumn", {
    "empty": int,
    "distinct": int,
    "min": Union[str, float, bool, None],
    "max": Union[str, float, bool, None],
    "top": List["ProfiledColumnTop"],
    "histogram": List["ProfiledColumnHistogram"],
    "name": str,
    "type": Literal["STRING", "BOOLEAN", "integer", "decimal", "TIMESTAMP_SECONDS", "TIMESTAMP_MILLS"],
    "isApproximate": bool,
})

_RowCount = TypedDict("_RowCount", {
    "rows": Union[int, None],
})


class RowCount(_RowCount, total=False):
    outOfRange: int


_SearchAnswer = TypedDict("_SearchAnswer", {
    "results": List[Dict[str, Union[str, float, bool, None]]],
})


class SearchAnswer(_SearchAnswer, total=False):
    truncated: bool


SearchDataPaging = TypedDict("SearchDataPaging", {
    "offset": int,
    "max": int,
})

SearchDataTimeRange = TypedDict("SearchDataTimeRange", {
    "start": str,
    "end": str,
}, total=False)

SearchDataGeospatial = TypedDict("SearchDataGeospatial", {
    "polygons": List[str],
    "antimeridianPolygons": bool,
})

SearchDataFilters = TypedDict("SearchDataFilters", {
    "name": str,
    "value": Union[str, float, bool, None],
    "operator": Literal["=", "<>", "<", "<=", ">", ">="],
})

SearchDataSort = TypedDict("SearchDataSort", {
    "column": str,
    "direction": Literal["asc", "desc"],
})

SearchData = TypedDict("SearchData", {
    "paging": "SearchDataPaging",
    "timeRange": "SearchDataTimeRange",
    "geospatial": "SearchDataGeospatial",
    "filters": List["SearchDataFilters"],
    "columns": List[str],
    "sort": List["SearchDataSort"],
}, total=False)

SuggestionsValues = TypedDict("SuggestionsValues", {
    "value": Union[str, float, bool, None],
    "rows": int,
})

Suggestions = TypedDict("Suggestions", {
    "values": List["SuggestionsValues"],
    "complete": bool,
})

TimeDistributionBuckets = TypedDict("TimeDistributionBuckets", {
    "startMs": float,
    "endMs": float,
    "rows": int,
})

TimeDistribution = TypedDict("TimeDistribution", {
    "unit": Literal["minute", "hour", "day", "week", "month", "year"],
    "size": int,
    "buckets": List["TimeDistributionBuckets"],
    "newestMs": Union[float, None],
})

TimeDistributionRequestPaging = TypedDict("TimeDistributionRequestPaging", {
    "offset": int,
    "max": int,
})

TimeDistributionRequestTimeRange = TypedDict("TimeDistributionRequestTimeRange", {
    "start": str,
    "end": str,
}, total=False)

TimeDistributionRequestGeospatial = TypedDict("TimeDistributionRequestGeospatial", {
    "polygons": List[str],
    "antimeridianPolygons": bool,
})

TimeDistributionRequestFilters = TypedDict("TimeDistributionRequestFilters", {
    "name": str,
    "value": Union[str, float, bool, None],
    "operator": Literal["=", "<>", "<", "<=", ">", ">="],
})

TimeDistributionRequestSort = TypedDict("TimeDistributionRequestSort", {
    "column": str,
    "direction": Literal["asc", "desc"],
})

TimeDistributionRequest = TypedDict("TimeDistributionRequest", {
    "paging": "TimeDistributionRequestPaging",
    "timeRange": "TimeDistributionRequestTimeRange",
    "geospatial": "TimeDistributionRequestGeospatial",
    "filters": List["TimeDistributionRequestFilters"],
    "columns": List[str],
    "sort": List["TimeDistributionRequestSort"],
    "byDay": bool,
}, total=False)
