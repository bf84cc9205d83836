import json
import os
import ssl
import unittest
import urllib.error
import urllib.request

url = os.environ["LAB_URL"]
trust = ssl.create_default_context(cafile=os.environ["LAB_CA"])


def call(method, path, body=None):
    request = urllib.request.Request(url + path, method=method)
    request.add_header("Authorization", "Bearer " + os.environ["LAB_TOKEN"])
    data = None
    if body is not None:
        request.add_header("Content-Type", "application/json")
        data = json.dumps(body).encode()
    with urllib.request.urlopen(request, data, context=trust) as answer:
        return json.load(answer)


def lab(path):
    return call("POST", "/lab/" + path)


maps = "/api/v1/namespaces/default/configmaps"


class Tests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        lab("snapshots?name=python")

    def setUp(self):
        lab("snapshots/python/rewind")

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
