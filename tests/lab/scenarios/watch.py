"""What the counters of rails say while they change, by the names of three drivers. Losses are those of rdma_rxe, the rest is the lab module's."""
import contextlib
import json
import subprocess

from fabricctl import LOSSLESS, PROGRAM, apply, profile
from host import RAILS, fresh
from witness import equal

BOOT = {"kernels": ["6.12"]}

MLX5 = {"rx_prio3_bytes": 5, "tx_prio3_bytes": 5, "tx_prio0_bytes": 1, "rx_prio3_pause": 7, "tx_prio3_pause": 0, "rx_prio3_discards": 0}
NAMES = {
    "mlx5": {"pause": "rx_prio3_pause", "bytes": "tx_prio3_bytes"},
    "bnxt": {"pause": "rx_pfc_ena_frames_pri3", "bytes": "tx_bytes_pri3"},
    "ice": {"pause": "rx_priority_3_xoff.nic", "bytes": None},
}


@contextlib.contextmanager
def watching(rail):
    """Yields a function that gives the next line about the rail."""
    argv = [PROGRAM, "watch", "--rail", rail.name, "--interval", "200ms", "--format", "json"]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True) as child:
        yield lambda: json.loads(child.stdout.readline())
        child.terminate()
        child.communicate(timeout=30)


def until_line(following, holds):
    for _ in range(100):
        line = following()
        if holds(line):
            return line
    raise AssertionError("no such line came; the last one: %s" % json.dumps(line))


def lossless(rail, role):
    rail.become(role)
    profile(LOSSLESS)
    apply().expect(0)
    equal(rail.pfc(), [3])


def test_pause_on_the_lossless_priority_is_told_by_the_names_of_each_driver():
    fresh()
    for rail, (role, names) in zip(RAILS, NAMES.items()):
        lossless(rail, role)
        rail.count(**{name: 1000 for name in names.values() if name})
        with watching(rail) as following:
            until_line(following, lambda line: line["rises"]["priorities"]["3"]["pause_received"] == 0)
            rail.count(**{names["pause"]: 1040})
            line = until_line(following, lambda line: line["rises"]["priorities"]["3"]["pause_received"] != 0)
            equal(line["rises"]["priorities"]["3"]["pause_received"], 40)
            equal(line["lossless_priorities"], [3])
            equal((line["verdict"], role), ("pausing", role))
            if names["bytes"] is None:
                equal(line["rises"]["priorities"]["3"]["sent_bytes"], None)


def test_a_discard_on_the_lossless_priority_is_dropping_and_one_elsewhere_is_not():
    fresh()
    rail = RAILS[0]
    lossless(rail, "mlx5")
    rail.count(**MLX5, rx_prio0_discards=0)
    with watching(rail) as following:
        until_line(following, lambda line: line["rises"]["priorities"]["3"]["discards"] == 0)
        rail.count(rx_prio0_discards=9)
        line = until_line(following, lambda line: line["rises"]["priorities"]["0"]["discards"])
        assert line["verdict"] != "dropping", line
        rail.count(rx_prio3_discards=2)
        line = until_line(following, lambda line: line["rises"]["priorities"]["3"]["discards"])
        equal((line["verdict"], line["reason"]), ("dropping", "discards of priority 3 2"))


def test_counters_that_come_go_backwards_and_stay_out_are_never_zero():
    fresh()
    rail = RAILS[0]
    lossless(rail, "mlx5")
    with watching(rail) as following:
        line = following()
        equal(line["rises"]["priorities"]["3"]["pause_received"], None)
        rail.count(**MLX5)  # as a driver that begins to count once PFC is on
        until_line(following, lambda line: line["rises"]["priorities"]["3"]["pause_received"] == 0)
        rail.count(rx_prio3_pause=27)
        until_line(following, lambda line: line["since_start"]["priorities"]["3"]["pause_received"] == 20)
        rail.count(rx_prio3_pause=1)
        line = until_line(following, lambda line: line["rebased"])
        equal(line["rebased"], [rail.name + ": rx_prio3_pause"])
        equal(line["rises"]["priorities"]["3"]["pause_received"], None)
        rail.count(rx_prio3_pause=6)
        until_line(following, lambda line: line["since_start"]["priorities"]["3"]["pause_received"] == 25)
