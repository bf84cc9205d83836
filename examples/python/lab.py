"""A server with a lab: plain calls of its API, and of its paths below /lab."""

import json
import os
import ssl
import urllib.request

url = os.environ["LAB_URL"]
token = os.environ["LAB_TOKEN"]
authority = os.environ["LAB_CA"]
trust = ssl.create_default_context(cafile=authority)


def call(method, path, body=None):
    request = urllib.request.Request(url + path, method=method)
    request.add_header("Authorization", "Bearer " + token)
    data = None
    if body is not None:
        request.add_header("Content-Type", "application/json")
        data = json.dumps(body).encode()
    with urllib.request.urlopen(request, data, context=trust) as answer:
        return json.load(answer)


def lab(path):
    return call("POST", "/lab/" + path)


class Start:
    """The state that every test begins with."""

    def __init__(self):
        self.path = "/lab/snapshots/" + lab("snapshots")["name"]

    def rewind(self):
        return call("POST", self.path + "/rewind")

    def end(self):
        self.rewind()
        call("DELETE", self.path)
