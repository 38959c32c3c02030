export const PROVIDERS = '/settings/identity-providers'
export const PROVISIONING = '/settings/scim'
export const SIGN_IN = '/settings/sign-in'

/** An id for a provider of this name: it stands in the addresses that are entered there. */
export function idFor(name: string, taken: readonly string[]): string {
  const base =
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .slice(0, 30)
      .replace(/^-+|-+$/g, '') || 'provider'
  for (let number = 1; ; number++) {
    const id = number === 1 ? base : `${base}-${number}`
    if (!taken.includes(id)) return id
  }
}
