/**
 * Writes core/src/identity/passwords/common-passwords.ts: of the 10,000 commonest passwords those that are long enough to be asked about,
 * as numbers. Run again when the package with the list has a newer one: `node scripts/common-passwords.mjs`.
 */
import { writeFileSync } from 'node:fs'
import passwords from '@zxcvbn-ts/language-common/src/passwords.json' with { type: 'json' }
import { LIMITS } from '../packages/core/src/limits.ts'
import { passwordNumber } from '../packages/core/src/identity/passwords/password-fault.ts'

const MOST_COMMON = 10_000
const PER_LINE = 16
const TARGET = new URL('../packages/core/src/identity/passwords/common-passwords.ts', import.meta.url)

const long = passwords.slice(0, MOST_COMMON).filter((word) => word.length >= LIMITS.passwordMinLength)
const numbers = [...new Set(long.map((word) => passwordNumber(word.toLowerCase())))].sort((a, b) => a - b).map((n) => n.toString(36))
const lines = Array.from({ length: Math.ceil(numbers.length / PER_LINE) }, (_, line) =>
  numbers.slice(line * PER_LINE, (line + 1) * PER_LINE).join(' '),
)
writeFileSync(
  TARGET,
  `/** Made by scripts/common-passwords.mjs from the list of @zxcvbn-ts/language-common (MIT): \`passwordNumber\` of each, in base 36. */
export const COMMON_PASSWORDS = \`
${lines.join('\n')}\`
`,
)
