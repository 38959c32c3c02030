import type { Context } from '../../../../context.ts'
import { fail } from '../../../../errors.ts'
import { hashPassword, hashSecret, isPasswordRight, decoyPasswordHash } from '../../../../infra/secrets/crypto.ts'
import { FairLimiter } from '../../../../infra/concurrency/fair-limiter.ts'
import { giveBackTry, spendDeviceGuess, spendGuess } from './tries.ts'

/** Who tries a password: an address, and the secret that the browser keeps, if any. */
export type Visitor = { address: string; device?: string | undefined }

/** All work on passwords in this process. `asker`, an address or an account, is whose turn it is. */
export type Passwords = {
  hash(asker: string, password: string): Promise<string>
  isRight(asker: string, password: string, stored: string): Promise<boolean>
  /** Takes as long without an account, and counts unless the password is right. `email` is folded. */
  guess(visitor: Visitor, email: string, account: Guarded | undefined, password: string): Promise<boolean>
}

type Guarded = { password_hash: string; known_devices: string[] }

/** A hash takes a core and 19 MB for a while: two at a time leave the machine to everybody else. */
export function openPasswords(ctx: Context): Passwords {
  const turns = new FairLimiter({ all: 2, waitMs: 2_000, mostWaiting: 50, refuse: () => fail('SIGN_IN_BUSY', { retryAfter: 2 }) })
  return {
    hash: (asker, password) => turns.take(asker, () => hashPassword(password)),
    isRight: (asker, password, stored) => turns.take(asker, () => isPasswordRight(password, stored)),
    guess: ({ address, device }, email, account, password) => {
      const deviceHash = device && hashSecret(device)
      const known = account?.known_devices.find((each) => each === deviceHash)
      const guess = async () => {
        const { counters, refuseWrong } = known ? await spendDeviceGuess(ctx, known, email) : await spendGuess(ctx, address, email)
        const isRight = await isPasswordRight(password, account?.password_hash ?? decoyPasswordHash())
        if (isRight) await giveBackTry(ctx, counters)
        else refuseWrong()
        return isRight
      }
      return turns.take(address, guess, { isUrgent: known !== undefined })
    },
  }
}
