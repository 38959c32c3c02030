/** Endpoints of webhooks as a document holds them: whom and of what is told. Their secrets are in no document. */
import { cutText } from '../cut-text.ts'
import type { Parsed } from '../blocks/definition.ts'
import type { JsonObject } from '../blocks/field.ts'
import { WEBHOOK_EVENTS, type WebhookEvent } from '../webhooks/events.ts'

/** Named by its id, which signatures and deliveries go by. */
export type WebhookCode = { id: string; url: string; description: string; events: WebhookEvent[] }

const no = (error: string): { ok: false; error: string } => ({ ok: false, error })

export function readWebhookCode({ id, url, description = '', events, ...others }: JsonObject): Parsed<WebhookCode> {
  const unknown = Object.keys(others)[0]
  if (unknown !== undefined) return no(`${cutText(unknown, 100)} is not a member of a webhook; it takes id, url, description, events`)
  if (typeof id !== 'string' || !/^[\w-]{1,40}$/.test(id)) return no('id must be 1 to 40 letters, digits, _ and -')
  if (typeof url !== 'string' || url === '' || url.length > 2_000) return no('url must be an address of 1 to 2000 characters')
  if (typeof description !== 'string' || description.length > 200) return no('description must be a string of at most 200 characters')
  const sent: readonly unknown[] = Array.isArray(events) ? events : []
  const chosen = WEBHOOK_EVENTS.filter((event) => sent.includes(event))
  if (chosen.length === 0 || chosen.length < new Set(sent).size)
    return no(`events must be an array of at least one of ${WEBHOOK_EVENTS.join(', ')}`)
  return { ok: true, value: { id, url, description, events: chosen } }
}
