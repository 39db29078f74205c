# Flask and marshmallow: status 200 for everything that the API itself says, HTML for the rest.
import logging
import os
import uuid

from flask import Flask, g, jsonify, request
from marshmallow import Schema, ValidationError, fields, validate

TEAMS = {
    os.environ["API_TOKEN"]: int(os.environ["TEAM_ID"]),
    os.environ["SECOND_API_TOKEN"]: int(os.environ["SECOND_TEAM_ID"]),
}

logging.getLogger("werkzeug").setLevel(logging.ERROR)
app = Flask(__name__)
groups = {}


class GroupSchema(Schema):
    user_group_id = fields.String(
        required=True,
        validate=[
            validate.Length(min=1, max=40),
            validate.Regexp(r"^[a-z0-9+=|.:_-]+$", error="Only lower-case letters, digits and + = | . : _ -"),
        ],
    )
    name = fields.String(
        load_default="",
        validate=[
            validate.Length(max=80),
            validate.Regexp(r"^[\w .,&'()-]*$", error="Only letters, digits, spaces and . , & ' ( ) -"),
        ],
    )
    mapping = fields.Dict(keys=fields.String(), values=fields.String(), load_default=dict)
    properties = fields.Dict(keys=fields.String(), load_default=dict)


class TokenSchema(Schema):
    current_token = fields.String(required=True, validate=validate.Length(equal=36))
    filename = fields.String()


def failure(message, **more):
    return jsonify(success=0, message=message, **more)


@app.before_request
def authenticate():
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if not request.path.startswith("/api/user"):
        return None
    if scheme != "Token" or token not in TEAMS:
        return failure("Authentication failed")
    g.team = TEAMS[token]
    return None


@app.errorhandler(ValidationError)
def on_validation_error(error):
    return failure("Validation failed", errors=error.messages)


def show(group):
    return {key: group[key] for key in ("team_id", "token", "name", "provided_id")}


def is_taken(name, provided_id):
    mine = (one for one in groups.values() if one["team_id"] == g.team and one["name"] != "")
    return any(one["name"].lower() == name.lower() and one["provided_id"] != provided_id for one in mine)


@app.get("/api/user", strict_slashes=False)
def get_or_create():
    body = request.get_json()
    sent = GroupSchema().load(body)
    provided_id = sent["user_group_id"]
    if is_taken(sent["name"], provided_id):
        return failure("Validation failed", errors={"name": ["Already in use."]})
    group = groups.get((g.team, provided_id))
    is_new = group is None
    if is_new:
        group = {
            "team_id": g.team,
            "token": str(uuid.uuid4()),
            "provided_id": provided_id,
            "name": sent["name"],
            "mapping": {},
            "properties": {},
        }
        groups[(g.team, provided_id)] = group
    if "name" in body:
        group["name"] = sent["name"]
    group["mapping"].update(sent["mapping"])
    group["properties"].update(sent["properties"])
    return jsonify(success=1, new_user_group=is_new, user_group=show(group))


@app.post("/api/user", strict_slashes=False)
def rotate():
    sent = TokenSchema().load(request.get_json())
    for group in groups.values():
        if group["team_id"] == g.team and group["token"] == sent["current_token"]:
            group["token"] = str(uuid.uuid4())
            return jsonify(success=1, user_group=show(group))
    return failure("No such token", errors={"current_token": ["Unknown token."]})


app.run(host="127.0.0.1", port=int(os.environ["PORT"]))
