export const WEBHOOKS = '/webhooks'

export function pathOf(id: string): string {
  return `${WEBHOOKS}/${encodeURIComponent(id)}`
}
