import type { Brand } from '@contentflow/core/mail/brand/brand.ts'
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import { wholeMail, type FrozenPart } from '@contentflow/core/mail/library/put-parts.ts'
import { useBrand } from '../../mails/api.ts'
import { useSharedParts, wholeWith } from '../../mails/editor/use-shared-parts.ts'

/** The mail with its saved parts, `frozen` or else as they are now, and the brand that it is drawn with. */
export function useWholeMail(mail: MailDocument, frozen: readonly FrozenPart[] | undefined): { mail: MailDocument; brand: Brand | null } {
  const parts = useSharedParts(frozen ? undefined : mail)
  return { mail: frozen ? wholeMail(mail, frozen) : wholeWith(mail, parts), brand: useBrand() ?? null }
}
