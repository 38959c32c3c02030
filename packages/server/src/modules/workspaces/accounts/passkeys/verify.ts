/** What browsers say of passkeys, checked by the library, which is loaded only where somebody has one. */
import type { Context } from '../../../../context.ts'
import { fail } from '../../../../errors.ts'
import { ALGORITHMS } from './options.ts'
import type { PasskeyRow } from './queries-passkeys.ts'
import type { RelyingParty } from './relying-party.ts'

/** As `toJSON` of the browser writes them; what else stands in them is of no account. */
export type NewCredential = {
  id: string
  rawId: string
  type: 'public-key'
  response: { clientDataJSON: string; attestationObject: string; transports?: string[] }
}
export type UsedCredential = {
  id: string
  rawId: string
  type: 'public-key'
  response: { clientDataJSON: string; authenticatorData: string; signature: string; userHandle?: string | null }
}
/** `isAsked`: whether this is a challenge of ours. */
type Expected = { party: RelyingParty; isAsked(challenge: string): boolean }

/** The challenge that was answered, and what is kept of the passkey. */
export async function verifyNew(ctx: Context, credential: NewCredential, { party, isAsked }: Expected) {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  return refusing(ctx, async () => {
    await refuseAttested(credential)
    let challenge = ''
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...credential, response: withTransports(credential), clientExtensionResults: {} },
      expectedChallenge: (sent) => isAsked((challenge = sent)),
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    if (!verified) return undefined
    const { credential: made, credentialBackedUp } = registrationInfo
    return {
      challenge,
      credential_id: made.id,
      public_key: Buffer.from(made.publicKey).toString('base64url'),
      sign_count: made.counter,
      is_backed_up: credentialBackedUp,
    }
  })
}

type Transport = 'ble' | 'cable' | 'hybrid' | 'internal' | 'nfc' | 'smart-card' | 'usb'

function withTransports({ response: { clientDataJSON, attestationObject, transports } }: NewCredential) {
  return { clientDataJSON, attestationObject, ...(transports && { transports: transports as Transport[] }) }
}

/**
 * No statement of a maker was asked for, so none with certificates is read: the library would call the addresses that stand in
 * them.
 */
async function refuseAttested({ response }: NewCredential): Promise<void> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  const statement = decodeAttestationObject(new Uint8Array(Buffer.from(response.attestationObject, 'base64url')))
  const fmt = statement.get('fmt')
  if (fmt !== 'none' && (fmt !== 'packed' || statement.get('attStmt').get('x5c') !== undefined)) throw new Error(`attestation ${fmt}`)
}

/** The challenge that was answered, and what is new of the passkey. */
export async function verifyUse(ctx: Context, credential: UsedCredential, passkey: PasskeyRow, { party, isAsked }: Expected) {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  return refusing(ctx, async () => {
    let challenge = ''
    const { clientDataJSON, authenticatorData, signature, userHandle } = credential.response
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        ...credential,
        response: { clientDataJSON, authenticatorData, signature, ...(userHandle && { userHandle }) },
        clientExtensionResults: {},
      },
      expectedChallenge: (sent) => isAsked((challenge = sent)),
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      credential: {
        id: passkey.credential_id,
        publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
        counter: passkey.sign_count,
      },
    })
    return verified ? { challenge, signCount: authenticationInfo.newCounter, isBackedUp: authenticationInfo.credentialBackedUp } : undefined
  })
}

/** The library throws at whatever is wrong; what exactly is told in the log alone. */
async function refusing<T>(ctx: Context, check: () => Promise<T | undefined>): Promise<T> {
  let found: T | undefined
  try {
    found = await check()
  } catch (error) {
    ctx.log.debug({ err: error }, 'a passkey was refused')
  }
  if (found === undefined) ctx.metrics.authFailures.labels('PASSKEY_REFUSED').inc()
  return found ?? fail('PASSKEY_REFUSED')
}
