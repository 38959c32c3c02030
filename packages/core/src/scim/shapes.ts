/** What is kept of the users and groups that a directory sends (RFC 7643); everything else is left out, neither stored nor answered. */
import { LIMITS } from '../limits.ts'

/** `exact`: text that is compared with its case. */
export type Scalar = 'text' | 'exact' | 'flag'
export type Attribute =
  | { is: Scalar; isRequired?: true }
  | { is: 'object'; members: Named<Scalar> }
  /** `key`: members by which two elements are the same one. Elements without `value` are none. */
  | { is: 'list'; members: Named<Scalar>; key: readonly string[]; most: number }

/** By lower-case name: names of attributes are compared without case. */
export type Named<T> = ReadonlyMap<string, { name: string; of: T }>
export type Shape = { schema: string; attributes: Named<Attribute> }

export type Element = Readonly<Record<string, string | boolean>>
/** The kept attributes of one user or group, by their names. Without its id, which the server gives. */
export type Resource = Readonly<Record<string, string | boolean | Element | readonly Element[]>>

/** `scimType` of RFC 7644, section 3.12. */
export type Fault = {
  status: 400
  scimType: 'invalidFilter' | 'invalidPath' | 'invalidSyntax' | 'invalidValue' | 'noTarget' | 'tooMany'
  detail: string
}
export type Result<T> = { ok: true; value: T } | { ok: false; fault: Fault }

export const right = <T>(value: T): Result<T> => ({ ok: true, value })
export const wrong = (scimType: Fault['scimType'], detail: string): { ok: false; fault: Fault } => ({
  ok: false,
  fault: { status: 400, scimType, detail },
})

function named<T>(all: Record<string, T>): Named<T> {
  return new Map(Object.entries(all).map(([name, of]) => [name.toLowerCase(), { name, of }]))
}

const EMAIL = named<Scalar>({ value: 'text', type: 'text', primary: 'flag' })

export const USER: Shape = {
  schema: 'urn:ietf:params:scim:schemas:core:2.0:User',
  attributes: named<Attribute>({
    userName: { is: 'text', isRequired: true },
    externalId: { is: 'exact' },
    active: { is: 'flag', isRequired: true },
    displayName: { is: 'text' },
    name: { is: 'object', members: named<Scalar>({ formatted: 'text', givenName: 'text', familyName: 'text' }) },
    emails: { is: 'list', members: EMAIL, key: ['value', 'type'], most: LIMITS.scimEmails },
  }),
}

export const GROUP: Shape = {
  schema: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  attributes: named<Attribute>({
    displayName: { is: 'text', isRequired: true },
    externalId: { is: 'exact' },
    members: { is: 'list', members: named<Scalar>({ value: 'exact' }), key: ['value'], most: LIMITS.scimUsers },
  }),
}
