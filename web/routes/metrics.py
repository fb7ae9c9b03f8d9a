"""Gives Prometheus a table's figures at `/metrics`. Whoever may read the page may read them.

Each application has a registry of its own. No label grows without bound, and nothing in it depends on what a
player hides: see `web.server.tally`.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import metadata
from typing import get_args

from flask import Response
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from companion.table.snapshot import Snapshot
from companion.wire.state import SourceState
from web.server.context import Context, context
from web.server.subject import Subject

blueprint = Subject("metrics", __name__)


@blueprint.get("/metrics")
def show_metrics() -> Response:
    """Sends what was counted and how all is now, in Prometheus' text format."""
    registry = CollectorRegistry()
    registry.register(Measures(context()))
    return Response(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


class Measures(Collector):
    """The measures of one application at the moment when they are collected."""

    def __init__(self, shared: Context) -> None:
        self._shared = shared

    def collect(self) -> Iterator[Metric]:
        shared, services = self._shared, self._shared.services
        snapshot = shared.table.snapshot
        if services.tally:
            with services.tally.lock:
                yield from list(services.tally.registry.collect())
        yield _sources(snapshot)
        yield _gauge("displays", "Displays that are live", shared.displays.held)
        yield _gauge("store_trouble", "1 while games cannot be stored, else 0", bool(snapshot.store_trouble))
        temperature = services.temperature() if services.temperature else None
        if temperature is not None:
            yield _gauge("temperature_celsius", "Temperature of the processor", temperature)
        build = GaugeMetricFamily("companion_build_info", "The version that runs", labels=["version"])
        build.add_metric([metadata.version("board-companion")], 1)
        yield build


def _sources(snapshot: Snapshot) -> Metric:
    """Returns the state of each sensor: 1 for the one that it is in, 0 for all others."""
    found = GaugeMetricFamily("companion_source_state", "The state of a sensor", labels=["source", "state"])
    for source in snapshot.sources:
        for state in get_args(SourceState):
            found.add_metric([source.name, state], float(source.state == state))
    return found


def _gauge(name: str, about: str, value: float) -> Metric:
    return GaugeMetricFamily(f"companion_{name}", about, value=float(value))
