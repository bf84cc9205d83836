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
        lab.call("POST", maps, {"metadata": {"name": name}})
        until = time.monotonic() + 30
        while time.monotonic() < until:
            labels = lab.call("GET", f"{maps}/{name}")["metadata"].get("labels", {})
            if labels.get("painted") == "red":
                return True
            time.sleep(0.05)
        return False

    def test_one(self):
        self.assertTrue(self.is_painted("the-map"))

    def test_two(self):
        self.assertTrue(self.is_painted("the-map"))

    def test_it_survives_a_storm(self):
        lab.lab("storms/informer?seed=3&userAgent=kopf*")
        self.assertTrue(self.is_painted("the-map"))
        print(lab.call("DELETE", "/lab/storms/informer")["injected"])


if __name__ == "__main__":
    unittest.main()
