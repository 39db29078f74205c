"""user_call_urllib.py method url authorization: sends standard input, prints the status, a line end, the body."""

import sys
import urllib.request

method, url, authorization = sys.argv[1:]
request = urllib.request.Request(
    url,
    data=sys.stdin.buffer.read(),
    method=method,
    headers={"Authorization": authorization, "Content-Type": "application/json"},
)
with urllib.request.urlopen(request) as response:
    print(response.status, flush=True)
    sys.stdout.buffer.write(response.read())
