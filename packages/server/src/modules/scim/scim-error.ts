/** Refusals that say in a word of SCIM what is wrong (RFC 7644, section 3.12). */
import type { Fault, Result } from '@contentflow/core/scim/shapes.ts'
import { ApiError } from '../../errors.ts'

export class ScimError extends ApiError {
  readonly scimType: Fault['scimType'] | 'uniqueness'
  constructor(status: number, scimType: ScimError['scimType'], detail: string) {
    super(status, detail)
    this.scimType = scimType
  }
}

/** What was read; throws the fault otherwise. */
export function taken<T>(result: Result<T>): T {
  if (result.ok) return result.value
  const { status, scimType, detail } = result.fault
  throw new ScimError(status, scimType, detail)
}
