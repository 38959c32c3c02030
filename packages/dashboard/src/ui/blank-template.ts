import type { WhatsappTemplate } from '@contentflow/core/messages/content.ts'

/** A template without any value, or with all values emptied. */
export function isBlankTemplate(template: WhatsappTemplate | undefined): boolean {
  return template === undefined || (template.id === '' && Object.keys(template.variables ?? {}).length === 0)
}
