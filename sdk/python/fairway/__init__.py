"""Client of a Fairway data portal. It needs nothing but the standard library.

    from fairway import Fairway

    portal = Fairway("https://data.example.org", "fwk_...")
    for row in portal.search("Weather/storm-tracks", where={"wind": {">=": 64}}, limit=10):
        print(row)
"""
from .client import Fairway
from .errors import FairwayError
from .files import FileEntry, Files
from .query import any_of
from .search import Search
from .summary import Summary

__all__ = ["Fairway", "FairwayError", "FileEntry", "Files", "Search", "Summary", "any_of"]
