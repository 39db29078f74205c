"""Django REST framework: serializers trim and convert text, names are unique, a wrong token is an invalid field."""

import os
import secrets
import sys
from datetime import datetime, timezone

from django.conf import settings

settings.configure(
    ALLOWED_HOSTS=["*"],
    DEBUG=False,
    INSTALLED_APPS=["rest_framework"],
    ROOT_URLCONF=__name__,
    SECRET_KEY="not-secret",
    USE_TZ=True,
    LOGGING_CONFIG=None,
    REST_FRAMEWORK={
        "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
        "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
        "EXCEPTION_HANDLER": f"{__name__}.exception_handler",
        "UNAUTHENTICATED_USER": None,
    },
)

import django  # noqa: E402

django.setup()

from django.core.management import execute_from_command_line  # noqa: E402
from django.urls import path  # noqa: E402
from rest_framework import exceptions, serializers, status, views  # noqa: E402
from rest_framework.authentication import BaseAuthentication, get_authorization_header  # noqa: E402
from rest_framework.permissions import BasePermission  # noqa: E402
from rest_framework.response import Response  # noqa: E402

TEAMS = {
    os.environ["API_TOKEN"]: int(os.environ["TEAM_ID"]),
    os.environ["SECOND_API_TOKEN"]: int(os.environ["SECOND_TEAM_ID"]),
}
GROUPS = []


class ApiTokenAuthentication(BaseAuthentication):
    """As TokenAuthentication of the framework, with the teams in place of users."""

    keyword = "Token"

    def authenticate(self, request):
        auth = get_authorization_header(request).split()
        if not auth or auth[0].lower() != self.keyword.lower().encode():
            return None
        if len(auth) == 1:
            raise exceptions.AuthenticationFailed("Invalid token header. No credentials provided.")
        if len(auth) > 2:
            raise exceptions.AuthenticationFailed("Invalid token header. Token string should not contain spaces.")
        team = TEAMS.get(auth[1].decode())
        if team is None:
            raise exceptions.AuthenticationFailed("Invalid token.")
        return team, auth[1].decode()

    def authenticate_header(self, request):
        return self.keyword


class HasTeam(BasePermission):
    def has_permission(self, request, view):
        return request.user is not None


def exception_handler(error, context):
    response = views.exception_handler(error, context)
    if response is not None and isinstance(response.data, dict):
        response.data["success"] = 0
    return response


class GroupSerializer(serializers.Serializer):
    id = serializers.IntegerField()
    team_id = serializers.IntegerField()
    token = serializers.CharField()
    name = serializers.CharField()
    provided_id = serializers.CharField()
    created_at = serializers.DateTimeField()


class GetOrCreateSerializer(serializers.Serializer):
    user_group_id = serializers.CharField(max_length=255)
    name = serializers.CharField(max_length=150)
    mapping = serializers.DictField(child=serializers.CharField(), required=False)
    properties = serializers.JSONField(required=False)

    def validate(self, data):
        for group in GROUPS:
            is_same = group["provided_id"] == data["user_group_id"]
            if group["team_id"] == self.context["team"] and group["name"] == data["name"] and not is_same:
                raise serializers.ValidationError({"name": ["user group with this name already exists."]})
        return data


class RotateSerializer(serializers.Serializer):
    current_token = serializers.CharField(max_length=40)
    filename = serializers.CharField(required=False)

    def validate_current_token(self, value):
        for group in GROUPS:
            if group["token"] == value and group["team_id"] == self.context["team"]:
                return group
        raise serializers.ValidationError("Invalid token.")


class UserGroupView(views.APIView):
    authentication_classes = [ApiTokenAuthentication]
    permission_classes = [HasTeam]

    def get(self, request):
        serializer = GetOrCreateSerializer(data=request.data, context={"team": request.user})
        serializer.is_valid(raise_exception=True)
        data = serializer.validated_data
        group = next(
            (g for g in GROUPS if g["team_id"] == request.user and g["provided_id"] == data["user_group_id"]), None
        )
        created = group is None
        if created:
            group = {
                "id": len(GROUPS) + 1,
                "team_id": request.user,
                "token": secrets.token_hex(20),
                "provided_id": data["user_group_id"],
                "created_at": datetime.now(timezone.utc),
            }
            GROUPS.append(group)
        group["name"] = data["name"]
        return Response(
            {"success": 1, "new_user_group": created, "user_group": GroupSerializer(group).data},
            status=status.HTTP_201_CREATED if created else status.HTTP_200_OK,
        )

    def post(self, request):
        serializer = RotateSerializer(data=request.data, context={"team": request.user})
        serializer.is_valid(raise_exception=True)
        group = serializer.validated_data["current_token"]
        group["token"] = secrets.token_hex(20)
        return Response({"success": 1, "user_group": GroupSerializer(group).data})


urlpatterns = [path("api/user", UserGroupView.as_view())]

if __name__ == "__main__":
    address = f"127.0.0.1:{os.environ['PORT']}"
    execute_from_command_line([sys.argv[0], "runserver", "--noreload", "--nothreading", address])
