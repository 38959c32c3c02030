import { COMMON_PASSWORDS } from './common-passwords.ts'
import { foldEmail } from '../fold-email.ts'

/** `common`: among the 10,000 commonest. `email`: the own address, or what stands before its @. `blank`: nothing that is seen. */
export type PasswordFault = 'common' | 'email' | 'blank'

/** Why a password of enough characters is one that others guess. */
export function passwordFault(password: string, email: string): PasswordFault | undefined {
  if (password.replace(/[\p{Z}\p{C}]/gu, '') === '') return 'blank'
  const folded = password.normalize('NFKC').trim().toLowerCase()
  const address = foldEmail(email)
  if (folded === address || folded === address.slice(0, address.lastIndexOf('@'))) return 'email'
  return commonNumbers().has(passwordNumber(folded)) ? 'common' : undefined
}

/** FNV-1a of 32 bits: of four billion numbers the list takes four thousand, so hardly any other password is refused with it. */
export function passwordNumber(folded: string): number {
  let number = 0x811c9dc5
  for (let i = 0; i < folded.length; i++) number = Math.imul(number ^ folded.charCodeAt(i), 0x01000193)
  return number >>> 0
}

let numbers: Set<number> | undefined
/** Read when the first password is asked about. */
function commonNumbers(): Set<number> {
  return (numbers ??= new Set(
    COMMON_PASSWORDS.trim()
      .split(/\s+/)
      .map((text) => parseInt(text, 36)),
  ))
}
