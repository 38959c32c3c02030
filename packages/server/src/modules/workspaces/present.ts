import { LIMITS } from '@contentflow/core/limits.ts'
import { Nullable, timeThat, Type } from '../../http/schema.ts'

export const RoleName = Type.Enum(['admin', 'editor', 'viewer'])
export const EnteredCode = Type.String({ maxLength: 60, description: 'Of an authenticator app, or a recovery code' })
export const LogInBody = Type.Object({
  email: Type.String({ maxLength: 254 }),
  password: Type.String({ maxLength: 200 }),
  otp: Type.Optional(EnteredCode),
})
/** What pages hand to the browser, and what it gives back. */
export const PasskeyOptions = Type.Object({
  challenge: Type.String(),
  rpId: Type.String(),
  timeout: Type.Integer(),
  userVerification: Type.Literal('required'),
  allowCredentials: Type.Array(Type.Object({ type: Type.Literal('public-key'), id: Type.String(), transports: Type.Array(Type.String()) })),
})
/** Other refusals with this status have none of it. */
export const FirstStepDone = Type.Object(
  {
    success: Type.Literal(false),
    error: Type.String(),
    code: Type.Optional(Type.String()),
    challenge: Type.Optional(
      Type.String({ description: 'Of SECOND_FACTOR_REQUIRED: answer it within five minutes by POST /auth/login/second' }),
    ),
    expiresAt: Type.Optional(timeThat('Of the challenge')),
    authenticator: Type.Optional(Type.Boolean({ description: 'Whether the account has an authenticator app' })),
    passkey: Type.Optional(PasskeyOptions),
  },
  { description: 'The pair is wrong, or SECOND_FACTOR_REQUIRED: it is right, and the account has a second factor' },
)
export const User = Type.Object({ userId: Type.String(), email: Type.String(), name: Type.String() })
const Day = Type.Integer({ minimum: 0, maximum: 6, description: '0 is Sunday' })
export const Calendar = Type.Object(
  {
    timeZone: Type.String({ maxLength: 64, description: 'A name of the zone database' }),
    firstDayOfWeek: Day,
    weekend: Type.Array(Day, { maxItems: 6, uniqueItems: true }),
    hijri: Type.Boolean({ description: 'Whether Hijri dates stand beside the Gregorian ones' }),
  },
  { examples: [{ timeZone: 'Asia/Riyadh', firstDayOfWeek: 0, weekend: [5, 6], hijri: true }] },
)
export const Membership = Type.Object({
  id: Type.String(),
  name: Type.String(),
  role: RoleName,
  roleName: Type.Optional(Type.String({ description: 'Only of a role that the workspace made, which counts instead of role' })),
  permissions: Type.Optional(Type.Array(Type.String(), { description: 'Of that role' })),
  canApprove: Type.Boolean(),
  isSandbox: Type.Boolean({ description: 'What it shows reaches test keys only' }),
  isSuspended: Type.Optional(Type.Boolean({ description: 'Only while it is, or the workspace whose sandbox it is' })),
  endsAt: Type.Optional(timeThat('Only of a workspace that an admin deleted: it ends then')),
  calendar: Nullable(Calendar),
  needsSecondFactor: Type.Optional(
    Type.Boolean({ description: 'Only where this session has to prove one first: nothing else of it is open' }),
  ),
})
export const Email = Type.String({ minLength: 3, maxLength: 254, pattern: '^[^\\s@]+@[^\\s@]+$', examples: ['admin@example.com'] })
export const Password = Type.String({ minLength: LIMITS.passwordMinLength, maxLength: 200, examples: ['correct horse battery'] })
export const Name = Type.String({ minLength: 1, maxLength: 150 })
export const Workspace = Type.Object({ id: Type.String(), name: Type.String() })
export const Me = Type.Object({
  user: User,
  workspaces: Type.Array(Membership),
  endsAt: Type.Optional(timeThat('You deleted the account, which ends then')),
  hasPassword: Type.Optional(Type.Literal(false, { description: 'Only of an account that has none: it came by a provider' })),
  sessionIdleMinutes: Type.Optional(Type.Integer({ description: 'Unused for longer this session ends: a workspace of yours asks for it' })),
})
