"""Flask with validation of its own: truthiness decides what is missing, the previous token still works."""

import logging
import os
import secrets
from functools import wraps

from flask import Flask, abort, g, jsonify, request
from werkzeug.exceptions import HTTPException

TEAMS = {
    os.environ["API_TOKEN"]: int(os.environ["TEAM_ID"]),
    os.environ["SECOND_API_TOKEN"]: int(os.environ["SECOND_TEAM_ID"]),
}

app = Flask(__name__)
groups = {}


@app.errorhandler(HTTPException)
def handle_exception(error):
    """As the documentation of Flask shows it, and with `success`."""
    response = error.get_response()
    response.data = jsonify(
        {"success": 0, "code": error.code, "name": error.name, "description": error.description}
    ).data
    response.content_type = "application/json"
    return response


def requires_team(view):
    @wraps(view)
    def wrapper():
        header = request.headers.get("Authorization", "")
        if not header.startswith("Token "):
            abort(401, "Missing API token")
        g.team = TEAMS.get(header[len("Token ") :].strip())
        if g.team is None:
            abort(401, "Invalid API token")
        return view()

    return wrapper


def to_json(group):
    return {
        "team_id": group["team_id"],
        "token": group["tokens"][-1],
        "name": group["name"],
        "provided_id": group["provided_id"],
        "properties": group["properties"],
    }


@app.get("/api/user")
@requires_team
def get_or_create():
    data = request.get_json()
    group_id = str(data.get("user_group_id") or "").strip()
    if not group_id:
        abort(400, "user_group_id is required")
    name = data.get("name")
    if name and not isinstance(name, str):
        abort(400, "name must be a string")
    if name and len(name) > 255:
        abort(400, "name must have at most 255 characters")
    for field in ("mapping", "properties"):
        if data.get(field) and not isinstance(data[field], dict):
            abort(400, f"{field} must be an object")

    key = (g.team, group_id)
    created = key not in groups
    if created:
        if not name:
            abort(400, "name is required")
        groups[key] = {
            "team_id": g.team,
            "provided_id": group_id,
            "name": name,
            "properties": {},
            "tokens": [secrets.token_hex(16)],
        }
    group = groups[key]
    if name:
        group["name"] = name
    if data.get("properties"):
        group["properties"] = data["properties"]
    body = jsonify(success=1, new_user_group=created, user_group=to_json(group))
    return (body, 201) if created else body


@app.post("/api/user")
@requires_team
def rotate():
    data = request.get_json()
    token = data.get("current_token")
    if not token:
        abort(400, "current_token is required")
    for group in groups.values():
        if group["team_id"] == g.team and token in group["tokens"][-2:]:
            group["tokens"].append(secrets.token_hex(16))
            return jsonify(success=1, user_group=to_json(group))
    abort(404, "Unknown token")


if __name__ == "__main__":
    logging.getLogger("werkzeug").disabled = True
    app.run(host="127.0.0.1", port=int(os.environ["PORT"]))
