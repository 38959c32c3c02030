import { LIMITS } from '@contentflow/core/limits.ts'
import { MailSchema, Nullable, Type } from '../../http/schema.ts'

export const ImportBody = Type.Object(
  {
    html: Type.String({ maxLength: LIMITS.mailImportCharacters }),
    kind: Type.Optional(
      Type.Enum(['mail', 'node'], { description: '`node`: a part that stands in a mail of sections, instead of a whole page' }),
    ),
    locale: Type.Optional(Type.String({ maxLength: 35, description: 'Language of the mail; left out: the one the page says, else `en`' })),
  },
  {
    additionalProperties: false,
    examples: [{ html: '<title>Hello</title><p>Hello {{name | friend}}</p><p><a href="{{unsubscribeUrl}}">Leave</a></p>', locale: 'en' }],
  },
)

export const ImportedSchema = Type.Object({
  html: Type.String({ description: 'Clean: as a mail or a node may hold it' }),
  document: Nullable(Type.Unsafe<object>(MailSchema)),
  removed: Type.Array(
    Type.Object(
      { what: Type.String(), line: Type.Integer({ description: 'From 1, in the HTML that was sent' }) },
      { title: 'RemovedHtml' },
    ),
    { description: 'What was taken out; at most 200' },
  ),
})

export const CheckLinksBody = Type.Object(
  {
    mail: MailSchema,
    locale: Type.Optional(Type.String({ maxLength: 35, description: 'Of the languages of the mail; left out: its first' })),
  },
  {
    additionalProperties: false,
    examples: [
      {
        mail: {
          version: 1,
          kind: 'html',
          texts: {
            en: {
              subject: 'Hello',
              html: '<!doctype html><html><head><meta charset="utf-8"></head><body><a href="https://shop.example.com/">Shop</a></body></html>',
            },
          },
        },
      },
    ],
  },
)

export const CheckedLinksSchema = Type.Object({
  locale: Type.String(),
  checked: Type.Integer({ description: 'Addresses that were called' }),
  skipped: Type.Integer({ description: 'Addresses that were not: with tokens, of apps, after the first 50, or because time was over' }),
  findings: Type.Array(
    Type.Object(
      {
        code: Type.Literal('link_dead'),
        node: Type.String({ description: 'Where in the mail' }),
        url: Type.String(),
        status: Nullable(Type.Integer({ description: 'null: there was no answer' })),
        reason: Nullable(Type.String({ description: 'Why there was none' })),
      },
      { title: 'DeadLink' },
    ),
  ),
})
