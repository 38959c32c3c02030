import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import { wholeMail } from '@contentflow/core/mail/library/put-parts.ts'
import { call } from '../../../api.ts'
import { useSession } from '../../../session.tsx'
import { mailApi, type LibraryMail } from '../api.ts'

export type SharedPart = Pick<LibraryMail, 'id' | 'name' | 'version' | 'document'>

/** The saved parts that a mail holds, by their ids, as they are now: the same object until one of them is another. */
export function useSharedParts(mail: MailDocument | undefined): ReadonlyMap<string, SharedPart> {
  const { workspace } = useSession()
  const ids = [...new Set((mail?.sections ?? []).flatMap((section) => (section.type === 'part' ? [section.part] : [])))]
  const read = useQueries({
    queries: ids.map((id) => ({
      queryKey: [workspace.id, mailApi(id), {}],
      queryFn: async () => (await call<LibraryMail>(mailApi(id), { workspaceId: workspace.id })).data,
      retry: false,
    })),
    combine: inUse,
  })
  return useMemo(() => new Map(read.map((part) => [part.id, part])), [read])
}

function inUse(read: readonly { data: LibraryMail | undefined }[]): LibraryMail[] {
  return read.flatMap(({ data }) => (data?.kind === 'part' && data.archivedAt === null ? [data] : []))
}

/** The mail with what stands in its parts, as it is drawn and sent. */
export function wholeWith(mail: MailDocument, parts: ReadonlyMap<string, SharedPart>): MailDocument {
  return wholeMail(mail, [...parts.values()])
}

/** The same of a mail that is read here and not edited; undefined: there is none. */
export function useWhole(mail: MailDocument | undefined): MailDocument | undefined {
  const parts = useSharedParts(mail)
  return useMemo(() => mail && wholeWith(mail, parts), [mail, parts])
}
