import { MAIL_CHECKS } from '@contentflow/core/mail/checks.ts'
import { MailSchema, Type, VariantMailSchema } from '../../http/schema.ts'

export const RenderBody = Type.Object(
  {
    mail: MailSchema,
    locale: Type.Optional(Type.String({ maxLength: 35, description: 'Of the languages of the mail; left out: its first' })),
    variant: Type.Optional(VariantMailSchema),
  },
  {
    additionalProperties: false,
    examples: [
      {
        mail: {
          version: 1,
          kind: 'sections',
          sections: [{ id: 's1', type: 'section', columns: [{ width: 100, nodes: [{ id: 'title', type: 'heading', level: 1 }] }] }],
          texts: { en: { subject: 'Hello', nodes: { title: { blocks: [{ p: [{ v: 'Hello, {{name | friend}}' }] }] } } } },
        },
      },
    ],
  },
)

const MailCheckSchema = Type.Object(
  {
    code: Type.Enum([...MAIL_CHECKS]),
    level: Type.Enum(['stop', 'warn'], { description: '`stop`: it may not be submitted' }),
    locale: Type.String(),
    node: Type.Optional(Type.String({ description: 'Where in the mail, if it is one place' })),
    value: Type.Optional(Type.String({ description: 'What was found there, such as an address or a size in bytes' })),
    variant: Type.Optional(Type.String({ description: 'Of a campaign: the variant that alone has it' })),
  },
  { title: 'MailCheck' },
)

export const DrawnMailSchema = Type.Object({
  mail: Type.Unsafe<object>(MailSchema),
  locale: Type.String(),
  subject: Type.String({ description: 'With its tokens as they are written, like all texts of the answer' }),
  html: Type.String(),
  text: Type.String(),
  bytes: Type.Integer({ description: 'Of the HTML with every link as long as it can be; mail programs cut off what is over 102,400' }),
  checks: Type.Array(MailCheckSchema),
})
