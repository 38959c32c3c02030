import { useQueries } from '@tanstack/react-query'
import type { Brand } from '@contentflow/core/mail/brand/brand.ts'
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import { wholeMail, type FrozenPart } from '@contentflow/core/mail/library/put-parts.ts'
import { partsOf } from '@contentflow/core/mail/library/read-part.ts'
import type { BrandSetting, LibraryMail } from '@contentflow/server/wire.ts'
import { call } from '../../../api.ts'
import { useRead } from '../../../data.ts'
import { useSession } from '../../../session.tsx'

/** The mail with its saved parts, `frozen` or else as they are now, and the brand that it is drawn with. */
export function useWholeMail(mail: MailDocument, frozen: readonly FrozenPart[] | undefined): { mail: MailDocument; brand: Brand | null } {
  const { workspace } = useSession()
  const { data: setting } = useRead<BrandSetting>('/settings/brand')
  const ids = frozen ? [] : [...new Set(partsOf(mail).map(({ part }) => part))]
  const read = useQueries({
    queries: ids.map((id) => {
      const path = `/mails/${encodeURIComponent(id)}`
      return {
        queryKey: [workspace.id, path, {}],
        queryFn: async () => (await call<LibraryMail>(path, { workspaceId: workspace.id })).data,
        retry: false,
      }
    }),
  })
  const now = read.flatMap(({ data }) => (data && data.kind === 'part' && data.archivedAt === null ? [data] : []))
  return { mail: wholeMail(mail, frozen ?? now), brand: setting?.isSet ? setting.brand : null }
}
