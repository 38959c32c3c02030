import type { MailDocument } from '@contentflow/core/mail/document.ts'
import { GALLERY_CATEGORIES } from '@contentflow/core/mail/gallery/build.ts'
import { MAIL_KINDS } from '@contentflow/core/mail/library/read-part.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { MailSchema, Nullable, PageQuery, Shaped, Time, Type } from '../../http/schema.ts'
import type { LibraryEntry, LibraryMail, ListedMail } from './queries-library.ts'

const Kind = Type.Enum([...MAIL_KINDS], { description: '`template`: to begin mails with; `part`: sections that mails share' })
const Document = Shaped<MailDocument>(MailSchema)
/** Read in full by core/mail/read-document.ts, so that a refusal names the place. */
const SentDocument = Type.Unknown({ description: 'A mail of sections' })
const Name = Type.String({ maxLength: LIMITS.mailNameLength * 2 })
const Category = Nullable(Type.String({ maxLength: LIMITS.mailCategoryLength * 2, description: 'A word of your own to find it by' }))

export const ListQuery = Type.Object({
  ...PageQuery.properties,
  kind: Type.Optional(Kind),
  category: Type.Optional(Type.String({ maxLength: LIMITS.mailCategoryLength * 2, description: 'Only of this category' })),
  state: Type.Enum(['active', 'archived'], { default: 'active', description: 'Those in use, or those that were archived' }),
})

const EXAMPLE = {
  version: 1,
  kind: 'sections',
  sections: [{ id: 's1', type: 'section', columns: [{ width: 100, nodes: [{ id: 'title', type: 'heading', level: 1 }] }] }],
  texts: { en: { subject: 'Hello', nodes: { title: { blocks: [{ p: [{ v: 'Hello, {{name | friend}}' }] }] } } } },
}
export const NewMailBody = Type.Object(
  { kind: Kind, name: Name, category: Type.Optional(Category), document: SentDocument },
  { examples: [{ kind: 'template', name: 'Welcome', category: 'New people', document: EXAMPLE }] },
)
export const MailChangeBody = Type.Object(
  { name: Type.Optional(Name), category: Type.Optional(Category), document: Type.Optional(SentDocument) },
  { examples: [{ name: 'Welcome, short' }] },
)

const entry = {
  id: Type.String(),
  kind: Kind,
  name: Type.String(),
  category: Nullable(Type.String()),
  version: Type.Integer({ description: 'Grows with every change; send it as If-Match' }),
  createdBy: Type.String({ description: 'User id' }),
  createdAt: Time,
  updatedBy: Type.String({ description: 'User id' }),
  updatedAt: Time,
  archivedAt: Nullable(Time),
}
export const ListedMailSchema = Type.Object({ ...entry, locales: Type.Array(Type.String()) }, { title: 'ListedMail' })
export const LibraryMailSchema = Type.Object({ ...entry, document: Document }, { title: 'LibraryMail' })
const revision = { version: Type.Integer(), madeBy: Type.String({ description: 'User id' }), madeAt: Time }
export const MailRevisionSchema = Type.Object(revision, { title: 'MailRevision' })
export const WholeRevisionSchema = Type.Object({ ...revision, document: Document }, { title: 'WholeMailRevision' })

export const GalleryEntrySchema = Type.Object(
  {
    id: Type.String(),
    category: Type.Enum([...GALLERY_CATEGORIES]),
    names: Type.Object({ en: Type.String(), ar: Type.String() }),
    document: Document,
  },
  { title: 'GalleryMail' },
)

function entryOf({ id, kind, name, category, version, createdBy, createdAt, updatedBy, updatedAt, archivedAt }: LibraryEntry) {
  return { id, kind, name, category, version, createdBy, createdAt, updatedBy, updatedAt, archivedAt }
}

export function presentListed(mail: ListedMail) {
  return { ...entryOf(mail), locales: mail.locales }
}

export function presentMail(mail: LibraryMail) {
  return { ...entryOf(mail), document: mail.document }
}
