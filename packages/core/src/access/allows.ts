import type { Permission } from './permissions.ts'

/** What a caller may do in a workspace. */
export type Grant = { readonly permissions: ReadonlySet<Permission> }
