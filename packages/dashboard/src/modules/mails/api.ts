/** The server's answers about kept mails, and the brand that all mails have. */
import type { Brand } from '@contentflow/core/mail/brand/brand.ts'
import type { BrandSetting, GalleryMail, LibraryMail, ListedMail, MailRevision } from '@contentflow/server/wire.ts'
import { useRead } from '../../data.ts'

export type { GalleryMail, LibraryMail, ListedMail, MailRevision }
export type MailKind = ListedMail['kind']

export const MAILS = '/mails'
export const BRAND = '/settings/brand'

/** The path of the server for one of them. */
export function mailApi(id: string): string {
  return `${MAILS}/${encodeURIComponent(id)}`
}

/** The page of one of them, or of all. */
export function mailPath(workspaceId: string, id = ''): string {
  return `/w/${workspaceId}/mails${id && `/${id}`}`
}

/** Undefined while it is read; null where nobody said anything. */
export function useBrand(): Brand | null | undefined {
  const { data } = useRead<BrandSetting>(BRAND)
  return data && (data.isSet ? data.brand : null)
}
