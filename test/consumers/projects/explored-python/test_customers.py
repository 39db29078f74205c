"""Depends on content-type, empty-strings and failure-body."""

import os
import unittest

from customers import Service

SERVER = os.environ["USERGROUP_MOCK_URL"]
API_TOKEN = os.environ["USERGROUP_MOCK_API_TOKEN"]
TOKEN = r"^[0-9a-f]{64}$"


def service(world, **care):
    return Service(f"{SERVER}/worlds/{world}", API_TOKEN, **care)


class Customers(unittest.TestCase):
    def test_hasty(self):
        call = service("hasty", timeout=3).call
        _, response = call("GET", {"user_group_id": "acme", "name": "Acme"})
        self.assertEqual(response["new_user_group"], True)
        _, response = call("GET", {"user_group_id": "", "name": "Acme"})
        self.assertEqual(response["success"], 0)
        _, response = call("GET", {"user_group_id": "acme"}, **{"Content-Type": "text/plain"})
        self.assertEqual(response["success"], 0)
        self.assertIn("message", response["error"])

    def test_patient(self):
        self.assertRegex(service("patient", tries=5).token_of("acme"), TOKEN)

    def test_sturdy(self):
        sturdy = service("sturdy", tries=5, timeout=1)
        token = sturdy.token_of("acme")
        self.assertRegex(sturdy.renew_token("acme", token), TOKEN)


if __name__ == "__main__":
    unittest.main()
