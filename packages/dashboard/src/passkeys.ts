/** Passkeys, as the browser makes and uses them by its own functions. */

/** Whether this browser has them, here. */
export function canUsePasskeys(): boolean {
  return typeof PublicKeyCredential === 'function' && typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function'
}

/** Asks the browser for a new one; undefined when its person does not want it after all. */
export async function makePasskey(options: PublicKeyCredentialCreationOptionsJSON): Promise<object | undefined> {
  return asked(() => navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }))
}

/** Asks the browser for one that it has. */
export async function askForPasskey(options: PublicKeyCredentialRequestOptionsJSON): Promise<object | undefined> {
  return asked(() => navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }))
}

async function asked(ask: () => Promise<Credential | null>): Promise<object | undefined> {
  try {
    const credential = await ask()
    return credential instanceof PublicKeyCredential ? credential.toJSON() : undefined
  } catch (error) {
    // It was left, it took too long, or this device has one for the account already.
    if (error instanceof DOMException && ['NotAllowedError', 'AbortError', 'InvalidStateError'].includes(error.name)) return undefined
    throw error
  }
}
