"""What many machines would do with a million claims, worked out from what a result of ``bench batch`` has measured."""

from typing import Any

MILLION = 1_000_000
MACHINES = 100
CORES = 16
"""Of each machine; one worker on each."""
PRICE = 0.04
"""Assumed price of a core for an hour, in US dollars."""
Row = tuple[str, str, str]


def at_scale(found: dict[str, Any], machines: int = MACHINES, cores: int = CORES) -> dict[str, float]:
    """The figures for a million different claims, on machines whose cores are as fast as the one measured.

    Workers do not wait for one another. What they share is the database and the index, and the command that writes the
    files: each can take so many claims a second, and workers beyond that only wait.
    """
    cpu, parts, writing = found["batch"]["cpu_ms"], found["batch_cpu_ms"], found["writing"]
    shared = max(0.01, parts["search"] - found["encoding_ms"])
    worker = 1000 / (cpu + writing["worker_ms"])
    one_server = cores * 1000 / shared
    writer = 1000 / writing["command_ms"]
    rate = min(machines * cores * worker, one_server, writer)
    return {
        "machines": machines, "cores": cores,
        "worker_per_second": worker,
        "all_workers_per_second": machines * cores * worker,
        "model_ms": parts["stance"] + parts["screener"] + found["encoding_ms"],
        "database_and_index_ms": shared,
        "server_per_second": one_server, "server_full_at_workers": one_server / worker,
        "writer_per_second": writer, "writer_full_at_workers": writer / worker,
        "hours": MILLION / rate / 3600,
        "core_hours": MILLION * (cpu + writing["worker_ms"]) / 3_600_000,
        "usd": MILLION * (cpu + writing["worker_ms"]) / 3_600_000 * PRICE,
        "plan_minutes": MILLION * writing["plan_ms"] / 60_000,
        "gigabytes": MILLION * writing["bytes"] / 1e9,
    }  # fmt: skip


def rows(found: dict[str, Any]) -> list[Row]:
    """What is worth knowing, with what it was worked out from."""
    f = at_scale(found)
    first, workers = min(
        ("the server of the database and the index", f["server_full_at_workers"]),
        ("the command that writes the files", f["writer_full_at_workers"]),
        key=lambda one: one[1],
    )
    return [
        ("one worker", f"{f['worker_per_second']:.2f} claims a second", "one core"),
        ("of a claim's time, the models", f"{f['model_ms']:,.0f} ms", "no two claims share it"),
        ("the database and the index", f"{f['database_and_index_ms']:.1f} ms", "on the server that all share"),
        (f"{MACHINES} machines of {CORES} cores", f"{f['all_workers_per_second']:,.0f} claims a second",
         f"a million in {f['hours'] * 60:,.0f} minutes" if f["hours"] < 3 else f"a million in {f['hours']:.1f} hours"),
        ("a million claims", f"{f['core_hours']:,.0f} core hours", f"{f['usd']:,.0f} dollars at {PRICE:.2f} an hour"),
        ("on disk", f"{f['gigabytes']:.1f} GB", "results as Parquet"),
        ("reading the list first", f"{f['plan_minutes']:,.0f} minutes", "one core, while nobody else works"),
        ("full first", first, f"at {workers:,.0f} workers"),
        ("a server of 16 cores is full at", f"{f['server_full_at_workers']:,.0f} workers",
         f"{f['server_per_second']:,.0f} claims a second"),
        ("the command is full at", f"{f['writer_full_at_workers']:,.0f} workers",
         f"{f['writer_per_second']:,.0f} claims a second"),
    ]  # fmt: skip


def markdown(found: dict[str, Any]) -> str:
    """Both tables for a page of the documentation."""
    one, many, parts = found["single"], found["batch"], found["batch_cpu_ms"]
    machine = found["machine"]
    measured = (
        f"Measured by `{found['command']}` on {machine['cores']} cores ({machine['cpu']}), with a load of "
        f"{machine['load_average']} before it began, over {found['passages']:,} passages. {found['equal_results']} of "
        f"{found['claims']} results were equal to the last digit."
    )
    compared = [
        ("claims a CPU second", one["per_cpu_second"], many["per_cpu_second"], found["times_per_cpu_second"]),
        ("claims a second and core", one["per_second_and_core"], many["per_second_and_core"],
         found["times_per_second_and_core"]),
    ]  # fmt: skip
    lines = [measured, "", "| | one by one | side by side | times |", "|---|---|---|---|"]
    lines += [f"| {what} | {a:.2f} | {b:.2f} | {times:.2f} |" for what, a, b, times in compared]
    lines.append(f"| CPU ms a claim | {one['cpu_ms']:,.0f} | {many['cpu_ms']:,.0f} | |")
    lines += [f"| of that: {name} | | {parts[name]:,.1f} | |" for name in ("stance", "screener", "search", "rest")]
    if on_ray := found.get("on_ray"):
        lines += [
            "",
            "| workers on Ray, on the same machine | claims a second | claims a CPU second |",
            "|---|---|---|",
        ]
        lines += [f"| {r['workers']} | {r['per_second']:.2f} | {r['per_cpu_second']:.2f} |" for r in on_ray]
    lines += ["", "| a million different claims | | |", "|---|---|---|"]
    lines += [f"| {' | '.join(row)} |" for row in rows(found)]
    return "\n".join(lines)
