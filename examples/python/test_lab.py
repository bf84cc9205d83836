import unittest
import urllib.error

from lab import Start, call, lab

maps = "/api/v1/namespaces/default/configmaps"


class Tests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.start = Start()

    @classmethod
    def tearDownClass(cls):
        cls.start.end()

    def setUp(self):
        self.start.rewind()

    def test_one(self):
        call("POST", maps, {"metadata": {"name": "the-map"}})

    def test_two(self):
        call("POST", maps, {"metadata": {"name": "the-map"}})

    def test_a_day_passes(self):
        lab("clock/freeze")
        before = lab("clock/advance?by=0s")["now"]
        after = lab("clock/advance?by=24h")["now"]
        self.assertEqual(before[11:], after[11:])
        self.assertLess(before, after)
        lab("clock/resume")

    def test_a_conflict(self):
        rule = {
            "apiVersion": "lab.orch.io/v1",
            "kind": "Fault",
            "metadata": {"name": "conflict"},
            "spec": {
                "match": {"verbs": ["create"], "resources": ["configmaps"]},
                "effect": {"status": {"code": 409}},
            },
        }
        call("POST", "/apis/lab.orch.io/v1/faults", rule)
        with self.assertRaises(urllib.error.HTTPError) as caught:
            call("POST", maps, {"metadata": {"name": "the-map"}})
        self.assertEqual(caught.exception.code, 409)


if __name__ == "__main__":
    unittest.main()
