"""The user's program: a user group for every customer."""

import http.client
import json
import urllib.error
import urllib.request


class Service:
    """tries: how often a request is sent. timeout: in seconds, or None to wait forever."""

    def __init__(self, base_url, api_token, tries=1, timeout=None):
        self.base_url = base_url
        self.api_token = api_token
        self.tries = tries
        self.timeout = timeout

    def call(self, method, body, **headers):
        """One request, one try: status and body."""
        request = urllib.request.Request(
            f"{self.base_url}/api/user",
            method=method,
            data=json.dumps(body).encode(),
            headers={
                "Authorization": f"Token {self.api_token}",
                "Content-Type": "application/json",
                **headers,
            },
        )
        try:
            with urllib.request.urlopen(request, timeout=self.timeout) as response:
                return response.status, json.load(response)
        except urllib.error.HTTPError as failure:
            with failure:
                return failure.code, json.load(failure)

    def call_again(self, method, body):
        """Tries again without a response, and after a 5xx or 429."""
        for tries_left in reversed(range(self.tries)):
            try:
                status, response = self.call(method, body)
                if (status < 500 and status != 429) or tries_left == 0:
                    return response
            except (OSError, ValueError, http.client.HTTPException):
                if tries_left == 0:
                    raise

    def token_of(self, user_group_id):
        body = {"user_group_id": user_group_id, "name": user_group_id}
        return self.call_again("GET", body)["user_group"]["token"]

    def renew_token(self, user_group_id, token):
        """A rotation whose response was lost has taken effect: then get-or-create returns the token."""
        response = self.call_again("POST", {"current_token": token})
        if response["success"] == 1:
            return response["user_group"]["token"]
        return self.token_of(user_group_id)
