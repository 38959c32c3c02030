/** A code as somebody typed it: of an authenticator app, or one of those for when it is lost. */
type EnteredCode = { kind: 'totp' | 'recovery'; code: string }

const RECOVERY = /^[A-Z2-7]{16}$/

/** Spaces and hyphens do not count, nor in which digits somebody writes. Undefined: it is neither. */
export function readEnteredCode(text: string): EnteredCode | undefined {
  const code = text
    .replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replace(/[\s\u200e\u200f\u2066-\u2069-]/g, '')
    .toUpperCase()
  if (/^\d{6}$/.test(code)) return { kind: 'totp', code }
  return RECOVERY.test(code) ? { kind: 'recovery', code } : undefined
}

/** In groups of four, as it is shown. */
export function showRecoveryCode(code: string): string {
  return (code.match(/.{4}/g) ?? []).join('-')
}
