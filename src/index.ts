export type { HoldRequest, OneFault as FaultRequest } from "./contract/fault-request.js";
export { type LocatedProblem, MockError, type MockErrorCode } from "./foundation/mock-error.js";
export type {
  AssumptionChoice,
  AssumptionEntry,
  Delivery,
  Effect,
  FailureResponse,
  Fault,
  Fixture,
  FixtureGroup,
  FixtureTeam,
  GetOrCreateRequest,
  GetOrCreateResponse,
  GroupDetail,
  Health,
  HistoryItem,
  JournalEntry,
  JournalFilter,
  MockOptions,
  NewGroup,
  Problem,
  ReportQuery,
  ResetRequest,
  RotateRequest,
  RotateResponse,
  Snapshot,
  UserGroup,
  WaitRequest,
  WorldSummary,
} from "./generated/types.js";
export { type ConnectOptions, connectMock } from "./mock/connect-mock.js";
export { startMock } from "./mock/start-mock.js";
export type {
  ArmedFault,
  Hold,
  Mock,
  Requests,
  World,
  WorldOptions,
  WorldState,
} from "./mock/world.js";
export type { AssumptionId, AssumptionValues } from "./service/assumptions.js";
