import { Nullable, Time, Type } from '../../../../http/schema.ts'

/** A credential id has at most 1,023 bytes; what stands beside it is small, as no statement of a maker is asked for. */
const Bytes = Type.String({ minLength: 1, maxLength: 8_000, pattern: '^[\\w-]+$', description: 'base64url' })
const of = { id: Bytes, rawId: Bytes, type: Type.Literal('public-key') }
const byBrowser = { description: 'What `toJSON()` of the browser gives' }

export const NewCredential = Type.Object(
  {
    ...of,
    response: Type.Object({
      clientDataJSON: Bytes,
      attestationObject: Bytes,
      transports: Type.Optional(Type.Array(Type.String({ maxLength: 20, pattern: '^[\\w-]+$' }), { maxItems: 10 })),
    }),
  },
  byBrowser,
)
export const UsedCredential = Type.Object(
  {
    ...of,
    response: Type.Object({
      clientDataJSON: Bytes,
      authenticatorData: Bytes,
      signature: Bytes,
      userHandle: Type.Optional(Nullable(Type.String({ maxLength: 200 }))),
    }),
  },
  byBrowser,
)
const Descriptor = Type.Object({ type: Type.Literal('public-key'), id: Type.String(), transports: Type.Array(Type.String()) })
export const CreationOptions = Type.Object({
  challenge: Type.String(),
  rp: Type.Object({ id: Type.String(), name: Type.String() }),
  user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
  pubKeyCredParams: Type.Array(Type.Object({ type: Type.Literal('public-key'), alg: Type.Integer() })),
  timeout: Type.Integer(),
  attestation: Type.Literal('none'),
  authenticatorSelection: Type.Object({
    residentKey: Type.Literal('required'),
    requireResidentKey: Type.Boolean(),
    userVerification: Type.Literal('required'),
  }),
  excludeCredentials: Type.Array(Descriptor),
})
export const Passkey = Type.Object({
  id: Type.String(),
  name: Type.String(),
  isBackedUp: Type.Boolean({ description: 'It is on other devices of its owner too' }),
  createdAt: Time,
  lastUsedAt: Nullable(Time),
})
