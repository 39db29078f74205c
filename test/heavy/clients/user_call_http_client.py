"""user_call_http_client.py method url authorization: sends standard input, prints the status, a line end, the body."""

import http.client
import sys
import urllib.parse

method, url, authorization = sys.argv[1:]
target = urllib.parse.urlsplit(url)
connection = http.client.HTTPConnection(target.hostname, target.port)
connection.request(
    method,
    target.path,
    body=sys.stdin.buffer.read(),
    headers={"Authorization": authorization, "Content-Type": "application/json"},
)
response = connection.getresponse()
print(response.status, flush=True)
sys.stdout.buffer.write(response.read())
