import { LIMITS } from '@contentflow/core/limits.ts'
import { Type } from '../../http/schema.ts'

export const RoleName = Type.Enum(['admin', 'editor', 'viewer'])
export const LogInBody = Type.Object({ email: Type.String({ maxLength: 254 }), password: Type.String({ maxLength: 200 }) })
export const User = Type.Object({ userId: Type.String(), email: Type.String(), name: Type.String() })
export const Membership = Type.Object({
  id: Type.String(),
  name: Type.String(),
  role: RoleName,
  canApprove: Type.Boolean(),
  isSandbox: Type.Boolean({ description: 'What it shows reaches test keys only' }),
})
export const Email = Type.String({ minLength: 3, maxLength: 254, pattern: '^[^\\s@]+@[^\\s@]+$', examples: ['admin@example.com'] })
export const Password = Type.String({ minLength: LIMITS.passwordMinLength, maxLength: 200, examples: ['correct horse battery'] })
export const Name = Type.String({ minLength: 1, maxLength: 150 })
export const Workspace = Type.Object({ id: Type.String(), name: Type.String() })
export const Me = Type.Object({ user: User, workspaces: Type.Array(Membership) })
