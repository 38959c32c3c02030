import type { WhatsappTemplate } from '@contentflow/core/messages/content.ts'

/** One of which nothing is entered yet, or nothing any more. */
export function isBlankTemplate(template: WhatsappTemplate | undefined): boolean {
  return template === undefined || (template.id === '' && Object.keys(template.variables ?? {}).length === 0)
}
