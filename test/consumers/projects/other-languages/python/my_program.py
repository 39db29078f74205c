import json
import urllib.error
import urllib.request


def create_user_group(base_url, group_id, name, tries=2):
    body = json.dumps({"user_group_id": group_id, "name": name}).encode()
    headers = {"Authorization": "Token test-api-token", "Content-Type": "application/json"}
    request = urllib.request.Request(f"{base_url}/api/user", body, headers, method="GET")
    try:
        with urllib.request.urlopen(request) as response:
            return json.load(response)["user_group"]
    except urllib.error.HTTPError:
        if tries == 1:
            raise
        return create_user_group(base_url, group_id, name, tries - 1)
