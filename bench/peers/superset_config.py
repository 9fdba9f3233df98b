"""Superset as it is measured: by itself on this machine, without any cache of answers."""

import os

SECRET_KEY = "only-for-measurements-on-this-machine"
SQLALCHEMY_DATABASE_URI = "sqlite:///" + os.environ["BENCH_SUPERSET_DATABASE"]
CACHE_CONFIG = {"CACHE_TYPE": "NullCache"}
DATA_CACHE_CONFIG = {"CACHE_TYPE": "NullCache"}
PREVENT_UNSAFE_DB_CONNECTIONS = False
TALISMAN_ENABLED = False
WTF_CSRF_ENABLED = False
