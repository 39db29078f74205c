// NestJS 11 with class-validator: unknown fields are rejected, names are unique, a POST returns 201.
import "reflect-metadata";
import { randomBytes } from "node:crypto";
import {
  type ArgumentsHost,
  BadRequestException,
  Body,
  type CanActivate,
  Catch,
  ConflictException,
  Controller,
  createParamDecorator,
  type ExceptionFilter,
  type ExecutionContext,
  Get,
  HttpException,
  Injectable,
  Module,
  NotFoundException,
  Post,
  UnauthorizedException,
  UseGuards,
  ValidationPipe,
} from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import {
  IsHexadecimal,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  Length,
  MaxLength,
} from "class-validator";

const { PORT, API_TOKEN, TEAM_ID, SECOND_API_TOKEN, SECOND_TEAM_ID } = process.env;
const teams = new Map([
  [API_TOKEN, Number(TEAM_ID)],
  [SECOND_API_TOKEN, Number(SECOND_TEAM_ID)],
]);

class GetOrCreateDto {
  @IsString()
  @IsNotEmpty()
  user_group_id!: string;

  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(80)
  name?: string | null;

  @IsOptional()
  @IsObject()
  mapping?: Record<string, string> | null;

  @IsOptional()
  @IsObject()
  properties?: Record<string, unknown> | null;
}

class RotateDto {
  @IsHexadecimal()
  @Length(48, 48)
  current_token!: string;

  @IsOptional()
  @IsString()
  filename?: string;
}

interface UserGroup {
  id: number;
  team_id: number;
  token: string;
  name: string;
  provided_id: string;
  createdAt: Date;
  updatedAt: Date;
}

@Injectable()
class UserGroupsService {
  private readonly groups: UserGroup[] = [];

  getOrCreate(teamId: number, { user_group_id, name }: GetOrCreateDto) {
    const ofTeam = this.groups.filter((one) => one.team_id === teamId);
    const group = ofTeam.find((one) => one.provided_id === user_group_id);
    if (name && ofTeam.some((one) => one !== group && one.name === name)) {
      throw new ConflictException(`A user group with the name "${name}" already exists`);
    }
    if (group) {
      if (name) Object.assign(group, { name, updatedAt: new Date() });
      return { success: 1, new_user_group: false, user_group: group };
    }
    if (!name) throw new BadRequestException(["name should not be empty"]);
    const now = new Date();
    const created = {
      id: 1000 + this.groups.length,
      team_id: teamId,
      token: randomBytes(24).toString("hex"),
      name,
      provided_id: user_group_id,
      createdAt: now,
      updatedAt: now,
    };
    this.groups.push(created);
    return { success: 1, new_user_group: true, user_group: created };
  }

  rotate(teamId: number, { current_token }: RotateDto) {
    const group = this.groups.find((one) => one.team_id === teamId && one.token === current_token);
    if (!group) throw new NotFoundException("User group not found");
    group.token = randomBytes(24).toString("hex");
    group.updatedAt = new Date();
    return { success: 1, user_group: group };
  }
}

@Injectable()
class ApiTokenGuard implements CanActivate {
  canActivate(context: ExecutionContext) {
    const request = context.switchToHttp().getRequest();
    const [type, token] = request.headers.authorization?.split(" ") ?? [];
    if (type !== "Token" || !teams.has(token)) throw new UnauthorizedException();
    request.teamId = teams.get(token);
    return true;
  }
}

const TeamId = createParamDecorator(
  (_data: unknown, context: ExecutionContext) => context.switchToHttp().getRequest().teamId,
);

@Controller("api/user")
@UseGuards(ApiTokenGuard)
class UserGroupsController {
  constructor(private readonly userGroups: UserGroupsService) {}

  @Get()
  getOrCreate(@TeamId() teamId: number, @Body() body: GetOrCreateDto) {
    return this.userGroups.getOrCreate(teamId, body);
  }

  @Post()
  rotate(@TeamId() teamId: number, @Body() body: RotateDto) {
    return this.userGroups.rotate(teamId, body);
  }
}

@Catch(HttpException)
class HttpExceptionFilter implements ExceptionFilter {
  catch(exception: HttpException, host: ArgumentsHost) {
    const context = host.switchToHttp();
    const body = exception.getResponse();
    context
      .getResponse()
      .status(exception.getStatus())
      .json({
        success: 0,
        ...(typeof body === "object" ? body : { message: body }),
        timestamp: new Date().toISOString(),
        path: context.getRequest().url,
      });
  }
}

@Module({ controllers: [UserGroupsController], providers: [UserGroupsService] })
class AppModule {}

async function bootstrap() {
  const app = await NestFactory.create(AppModule, { logger: false });
  app.useGlobalPipes(new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true, transform: true }));
  app.useGlobalFilters(new HttpExceptionFilter());
  await app.listen(Number(PORT), "127.0.0.1");
}
bootstrap();
