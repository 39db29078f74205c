"""FastAPI with pydantic: null is not sent, numbers become text, its own body for what does not validate (422)."""

import os
import secrets
from datetime import datetime, timezone
from typing import Any, Dict, Optional
from uuid import uuid4

import uvicorn
from fastapi import Depends, FastAPI, Header, HTTPException
from fastapi.exception_handlers import http_exception_handler
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException as StarletteHTTPException

TEAMS = {
    os.environ["API_TOKEN"]: int(os.environ["TEAM_ID"]),
    os.environ["SECOND_API_TOKEN"]: int(os.environ["SECOND_TEAM_ID"]),
}

app = FastAPI(title="User groups")


class GetOrCreate(BaseModel):
    user_group_id: str = Field(..., min_length=1, max_length=64)
    name: Optional[str] = Field(None, max_length=100)
    mapping: Optional[Dict[str, str]] = None
    properties: Optional[Dict[str, Any]] = None


class Rotate(BaseModel):
    current_token: str
    filename: Optional[str] = None


class UserGroup(BaseModel):
    id: str
    team_id: int
    token: str
    name: str
    provided_id: str
    created_at: datetime


class GetOrCreateResponse(BaseModel):
    success: int = 1
    new_user_group: bool
    user_group: UserGroup


class RotateResponse(BaseModel):
    success: int = 1
    user_group: UserGroup


groups: Dict[Any, UserGroup] = {}
rotated_tokens = set()


def current_team(authorization: Optional[str] = Header(None)) -> int:
    scheme, _, token = (authorization or "").partition(" ")
    if scheme.lower() != "token":
        raise HTTPException(401, "Not authenticated", headers={"WWW-Authenticate": "Token"})
    if token not in TEAMS:
        raise HTTPException(403, "Invalid API token")
    return TEAMS[token]


@app.exception_handler(StarletteHTTPException)
async def with_success(request, error):
    if error.status_code in (404, 405) and error.detail in ("Not Found", "Method Not Allowed"):
        return await http_exception_handler(request, error)
    content = {"success": 0, "detail": error.detail}
    return JSONResponse(content, status_code=error.status_code, headers=getattr(error, "headers", None))


@app.get("/api/user", response_model=GetOrCreateResponse)
def get_or_create(body: GetOrCreate, team: int = Depends(current_team)):
    key = (team, body.user_group_id)
    group = groups.get(key)
    if group is not None:
        return GetOrCreateResponse(new_user_group=False, user_group=group)
    if not body.name:
        raise HTTPException(400, "name is required for a new user group")
    group = groups[key] = UserGroup(
        id=str(uuid4()),
        team_id=team,
        token=secrets.token_urlsafe(32),
        name=body.name,
        provided_id=body.user_group_id,
        created_at=datetime.now(timezone.utc),
    )
    return GetOrCreateResponse(new_user_group=True, user_group=group)


@app.post("/api/user", response_model=RotateResponse)
def rotate(body: Rotate, team: int = Depends(current_team)):
    if body.current_token in rotated_tokens:
        raise HTTPException(410, "This token has been rotated")
    for group in groups.values():
        if group.team_id == team and group.token == body.current_token:
            rotated_tokens.add(group.token)
            group.token = secrets.token_urlsafe(32)
            return RotateResponse(user_group=group)
    raise HTTPException(404, "User group not found")


if __name__ == "__main__":
    uvicorn.run(app, host="127.0.0.1", port=int(os.environ["PORT"]), log_level="error")
