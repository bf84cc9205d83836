import threading
import time
import unittest

import kopf

import lab

registry = kopf.OperatorRegistry()


@kopf.on.login(registry=registry)
def login(**_):
    return kopf.ConnectionInfo(server=lab.url, ca_path=lab.authority, scheme="Bearer", token=lab.token)


@kopf.on.create("configmaps", registry=registry, labels={"painted": kopf.ABSENT})
def paint(patch, **_):
    patch.metadata.labels["painted"] = "red"


maps = "/api/v1/namespaces/default/configmaps"


class Tests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        ready, cls.stop = threading.Event(), threading.Event()
        options = {"registry": registry, "standalone": True, "namespaces": ["default"]}
        flags = {"ready_flag": ready, "stop_flag": cls.stop}
        cls.operator = threading.Thread(target=kopf.run, kwargs=options | flags)
        cls.operator.start()
        ready.wait(30)
        cls.start = lab.Start()

    @classmethod
    def tearDownClass(cls):
        cls.stop.set()
        cls.operator.join()
        cls.start.end()

    # The operator goes on: it sees the rewind by its watch.
    def setUp(self):
        self.start.rewind()

    def is_painted(self, name):
        until = time.monotonic() + 60
        while time.monotonic() < until:
            labels = lab.call("GET", f"{maps}/{name}")["metadata"].get("labels", {})
            if labels.get("painted") == "red":
                return True
            time.sleep(0.05)
        return False

    def create(self, name):
        lab.call("POST", maps, {"metadata": {"name": name}})

    def test_one(self):
        self.create("the-map")
        self.assertTrue(self.is_painted("the-map"))

    def test_two(self):
        self.create("the-map")
        self.assertTrue(self.is_painted("the-map"))

    # Connections end before or after its writes are done: it cannot know, and writes again.
    def test_it_survives_a_storm(self):
        lab.lab("storms/network?seed=3&userAgent=kopf*")
        names = [f"map-{number}" for number in range(10)]
        for name in names:
            self.create(name)
        for name in names:
            self.assertTrue(self.is_painted(name))
        report = lab.call("DELETE", "/lab/storms/network")
        self.assertGreater(sum(report["injected"].values()), 0)
        print(report)


if __name__ == "__main__":
    unittest.main()
