export { type ConnectOptions, connectMock } from "./client/connect-mock.js";
export { startMock } from "./client/start-mock.js";
export type {
  ArmedFault,
  FailedTest,
  Hold,
  HoldRequest,
  Mock,
  ReportRequest,
  Requests,
  World,
  WorldOptions,
  WorldState,
} from "./client/world.js";
export type { AssumptionId, AssumptionValues } from "./fake/contract/assumptions.js";
export type { FaultOfOneKind as FaultRequest } from "./fake/contract/fault-kinds.js";
export { MockError, type MockErrorCode } from "./fake/contract/mock-error.js";
export type { SituationId } from "./fake/contract/situations.js";
export type { LocatedProblem } from "./foundation/located-problem.js";
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
  KnownRejection,
  KnownSituations,
  KnownSuccess,
  MockOptions,
  NewGroup,
  Problem,
  Profile,
  ReportQuery,
  ResetRequest,
  RotateRequest,
  RotateResponse,
  SituationEntry,
  UserGroup,
  WaitRequest,
  WorldSummary,
} from "./generated/types.js";
