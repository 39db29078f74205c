# aiohttp and pydantic: a list of problems with their places, behind a gateway that adds headers.
import os
import secrets
from datetime import datetime, timezone
from typing import Any, Dict, Optional

from aiohttp import web
from pydantic import BaseModel, Extra, ValidationError, constr, validator

TEAMS = {
    os.environ["API_TOKEN"]: int(os.environ["TEAM_ID"]),
    os.environ["SECOND_API_TOKEN"]: int(os.environ["SECOND_TEAM_ID"]),
}

routes = web.RouteTableDef()
groups: Dict[Any, Dict[str, Any]] = {}


class GetOrCreate(BaseModel):
    user_group_id: constr(min_length=1, max_length=20, regex=r"^[a-zA-Z0-9_\-]+$")
    name: constr(strip_whitespace=True, min_length=1, max_length=64)
    mapping: Dict[str, str]
    properties: Dict[str, Any] = {}

    @validator("name")
    def is_printable(cls, name):
        if not name.isprintable():
            raise ValueError("name must be printable")
        return name

    class Config:
        extra = Extra.forbid


class Lookup(BaseModel):
    """What a request about an existing group may have."""

    user_group_id: str
    name: Optional[constr(strip_whitespace=True, min_length=1, max_length=64)]
    mapping: Optional[Dict[str, str]]
    properties: Optional[Dict[str, Any]]

    class Config:
        extra = Extra.forbid


class Rotate(BaseModel):
    current_token: str
    filename: Optional[str]


def failure(status, **more):
    return web.json_response({"success": 0, **more}, status=status)


@web.middleware
async def gateway(request, handler):
    try:
        response = await handler(request)
    except web.HTTPException as exception:
        exception.headers["X-Api-Version"] = "2.4"
        raise
    response.headers["X-Api-Version"] = "2.4"
    response.headers["X-Region"] = "eu-central"
    return response


@web.middleware
async def authenticate(request, handler):
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme != "Token" or token not in TEAMS:
        raise web.HTTPUnauthorized(headers={"WWW-Authenticate": "Token"})
    request["team"] = TEAMS[token]
    return await handler(request)


@web.middleware
async def validation(request, handler):
    try:
        return await handler(request)
    except ValidationError as error:
        return failure(422, detail=error.errors())
    except ValueError:
        return failure(400, detail="Malformed JSON")


def show(group):
    return {key: group[key] for key in ("team_id", "token", "name", "provided_id", "created_at")}


@routes.get("/api/user", allow_head=False)
async def get_or_create(request):
    body = await request.json()
    if not isinstance(body, dict):
        return failure(400, detail="Object expected")
    key = (request["team"], str(body.get("user_group_id")))
    group = groups.get(key)
    if group is not None:
        sent = Lookup(**body)
        for field in ("name", "mapping", "properties"):
            if getattr(sent, field) is not None:
                group[field] = getattr(sent, field)
        return web.json_response({"success": 1, "new_user_group": False, "user_group": show(group)})
    sent = GetOrCreate(**body)
    group = {
        "team_id": request["team"],
        "token": secrets.token_urlsafe(32),
        "name": sent.name,
        "provided_id": sent.user_group_id,
        "mapping": sent.mapping,
        "properties": sent.properties,
        "created_at": datetime.now(timezone.utc).isoformat(timespec="seconds"),
    }
    groups[(request["team"], sent.user_group_id)] = group
    return web.json_response({"success": 1, "new_user_group": True, "user_group": show(group)})


@routes.post("/api/user")
async def rotate(request):
    body = await request.json()
    if not isinstance(body, dict):
        return failure(400, detail="Object expected")
    sent = Rotate(**body)
    for group in groups.values():
        if group["team_id"] == request["team"] and group["token"] == sent.current_token:
            group["token"] = secrets.token_urlsafe(32)
            return web.json_response({"success": 1, "user_group": show(group)})
    return failure(404, detail="Unknown token")


app = web.Application(middlewares=[gateway, authenticate, validation])
app.add_routes(routes)
web.run_app(app, host="127.0.0.1", port=int(os.environ["PORT"]), print=None)
