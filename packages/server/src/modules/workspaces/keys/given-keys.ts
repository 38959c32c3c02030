/** Keys whose text was chosen outside, so that apps and server are rolled out together. Only the hash is stored, as of any key. */
import type { Context } from '../../../context.ts'
import { failWith } from '../../../errors.ts'
import type { Change } from '../../../infra/change.ts'
import { hashSecret, uuidOf } from '../../../infra/secrets/crypto.ts'
import { stateOf } from '../../../infra/unavailable.ts'
import { findKey } from '../queries.ts'
import { createKeyIn, KEY_BYTES, keyPrefix, type NewKey } from './keys.ts'

type Form = Pick<NewKey, 'kind' | 'environment'>
/** Of the workspace no two have one name. `text`: that of a new key is made where there is none; undefined: nobody knows it any more. */
export type DeclaredKey = Form & { name: string; text(isNew: boolean): string | undefined }

/** Random hexadecimal digits have fewer different ones than this once in 300 million keys. */
const LEAST_DIFFERENT = 6
const UNIQUE_VIOLATION = '23505'

/** What is wrong with the text of a key, without the text; undefined: nothing. */
export function keyTextFault(workspaceId: string, form: Form, text: string): string | undefined {
  const prefix = keyPrefix(workspaceId, form)
  const digits = text.slice(prefix.length)
  const length = KEY_BYTES[form.kind] * 2
  if (!text.startsWith(prefix) || digits.length !== length || !/^[0-9a-f]+$/.test(digits))
    return `must be ${prefix} and ${length} lower-case hexadecimal digits, such as those of openssl rand -hex ${KEY_BYTES[form.kind]}`
  return isRandom(digits) ? undefined : 'can be guessed: take its digits from a random source, such as openssl rand -hex'
}

/** Refuses what people type or count: few different digits or steps between them, or a part that is repeated. */
function isRandom(digits: string): boolean {
  const values = digits.split('').map((digit) => Number.parseInt(digit, 16))
  const steps = values.slice(1).map((value, at) => (value - values[at]! + 16) % 16)
  if (new Set(values).size < LEAST_DIFFERENT || new Set(steps).size < LEAST_DIFFERENT) return false
  for (let part = 1; part <= digits.length / 2; part++) if (digits.startsWith(digits.slice(part))) return false
  return true
}

/** Makes the key unless it was made before. What is not done although it is declared is returned, in a sentence. */
export async function declareKey(
  ctx: Context,
  change: Change,
  { name, kind, environment, text }: DeclaredKey,
): Promise<string | undefined> {
  const { tx, workspaceId } = change
  const id = uuidOf(['declared key', workspaceId, name])
  const stored = await findKey(tx, workspaceId, id)
  if (stored?.revoked_at) return 'was revoked and stays so: a further key takes another name'
  if (stored && (stored.kind !== kind || stored.environment !== environment))
    return `is a ${stored.kind} key of ${stored.environment} and stays one: a further key takes another name`
  if (stored) return noteOf(stored.hash, text(false))
  try {
    await createKeyIn(ctx, change, { kind, environment, name }, { id, text: text(true) ?? failWith(400, 'has no text') })
    return undefined
  } catch (error) {
    if (stateOf(error) !== UNIQUE_VIOLATION) throw error
    return failWith(409, 'is the text of another key: take a new one')
  }
}

function noteOf(hash: string, text: string | undefined): string | undefined {
  if (text === undefined) return 'was made before, and its file is gone: a further key takes another name'
  return hash === hashSecret(text) ? undefined : 'has another text and keeps it: a further key takes another name'
}
