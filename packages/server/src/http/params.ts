/** Parameters that many routes have, described once. */
import { Type } from './schema.ts'

type Texts<Name extends string> = Record<Name, ReturnType<typeof Type.String>>

/** Texts in a path, each with what it names. */
export function pathOf<Name extends string>(meanings: Record<Name, string>) {
  const entries = Object.entries<string>(meanings).map(([name, description]) => [name, Type.String({ description })])
  return Type.Object(Object.fromEntries(entries) as Texts<Name>)
}

export const BLOCK_KEY = 'The key of the block type'
export const INSTANCE_ID = 'The id of the instance'
export const STRING_KEY = 'The key of the string'
export const LOCALE_CODE = 'The code of the language, such as `ar` or `pt-BR`'
export const LINK_TOKEN = 'What stands in the link of the mail'

export const DeviceHeader = Type.Optional(
  Type.String({ description: 'The id of the installation, which the app makes once and keeps', examples: ['phone-1'] }),
)
export const LanguageHeader = Type.Optional(
  Type.String({
    description: 'Languages of the person, the preferred one first, as browsers send them',
    examples: ['ar-SA,ar;q=0.9,en;q=0.5'],
  }),
)
export const KnownTag = Type.Optional(
  Type.String({
    description: 'The ETag of the answer you have: while it is the same, the answer is 304 without a body',
    examples: ['"3"'],
  }),
)
