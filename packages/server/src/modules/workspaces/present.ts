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
