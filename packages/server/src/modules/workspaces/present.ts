import { LIMITS } from '@contentflow/core/limits.ts'
import { Nullable, timeThat, Type } from '../../http/schema.ts'

export const RoleName = Type.Enum(['admin', 'editor', 'viewer'])
export const LogInBody = Type.Object({ email: Type.String({ maxLength: 254 }), password: Type.String({ maxLength: 200 }) })
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
  canApprove: Type.Boolean(),
  isSandbox: Type.Boolean({ description: 'What it shows reaches test keys only' }),
  isSuspended: Type.Optional(Type.Boolean({ description: 'Only while it is, or the workspace whose sandbox it is' })),
  calendar: Nullable(Calendar),
})
export const Email = Type.String({ minLength: 3, maxLength: 254, pattern: '^[^\\s@]+@[^\\s@]+$', examples: ['admin@example.com'] })
export const Password = Type.String({ minLength: LIMITS.passwordMinLength, maxLength: 200, examples: ['correct horse battery'] })
export const Name = Type.String({ minLength: 1, maxLength: 150 })
export const Workspace = Type.Object({ id: Type.String(), name: Type.String() })
export const Me = Type.Object({
  user: User,
  workspaces: Type.Array(Membership),
  endsAt: Type.Optional(timeThat('You deleted the account, which ends then')),
})
