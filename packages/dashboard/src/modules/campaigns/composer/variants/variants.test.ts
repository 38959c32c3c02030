import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EXAMPLE } from '@contentflow/core/mail/example-mail.ts'
import { bodyOf, changedMembers, draftOf, adoptionOf, keptDraft, newDraft } from '../draft.ts'
import { draftMessage, storedContent } from './stored-content.ts'
import { begun, hasUnequalVariants, isBlank, withCopy, withTexts, type DraftMessage, type StoredContent } from './structure.ts'
import { mailOf, withMail } from './variant-mails.ts'
import { languageWarnings, warningsOfStored } from './warnings.ts'

const variant = (id: string, values = {}, weight = 1) => ({ id, weight, values })
const shape = ({ variants }: DraftMessage) =>
  variants.map(({ id, weight, texts }) => [id, weight, Object.keys(texts).toSorted().toReversed()])
const opened = (content: StoredContent) => draftMessage(content, 'en')

test('variants of one name are one, and so are those at one place where the languages have as many', () => {
  const en = { title: 'Hello', variants: [variant('A', {}, 3), variant('B')] }
  assert.deepEqual(shape(opened({ ar: { variants: [variant('B'), variant('A')] }, en })), [
    ['A', 3, ['en', 'ar']],
    ['B', 1, ['en', 'ar']],
  ])
  assert.deepEqual(shape(opened({ en, ar: { variants: [variant('A'), variant('ب')] } })), [
    ['A', 3, ['en', 'ar']],
    ['B', 1, ['en', 'ar']],
  ])
  assert.deepEqual(shape(opened({ en, ar: { title: 'مرحبا', variants: [variant('C')] } })), [
    ['A', 3, ['en']],
    ['B', 1, ['en']],
    ['C', 1, ['ar']],
  ])
  assert.ok(hasUnequalVariants({ en, ar: { title: 'مرحبا' } }))
  assert.ok(!hasUnequalVariants({ en, ar: {}, fr: { title: '', variants: en.variants } }))
})

test('every written language is stored with all variants and the addresses of the source language, and is read back as it was written', () => {
  const message: DraftMessage = {
    content: {
      en: { title: 'Hello', imageUrl: 'https://a.example/1.png', ctaUrl: '/shop' },
      ar: { title: 'مرحبا', ctaUrl: '/ar', body: '' },
      fr: {},
    },
    variants: [
      { id: 'A', weight: 2, texts: { en: { title: 'Hi', imageUrl: 'https://a.example/2.png' }, ar: { title: '' } } },
      { id: 'B', weight: 1, texts: {} },
    ],
  }
  const stored = storedContent(message, 'en')
  assert.deepEqual(stored, {
    en: {
      title: 'Hello',
      imageUrl: 'https://a.example/1.png',
      ctaUrl: '/shop',
      variants: [variant('A', { title: 'Hi', imageUrl: 'https://a.example/2.png' }, 2), variant('B')],
    },
    ar: {
      title: 'مرحبا',
      imageUrl: 'https://a.example/1.png',
      ctaUrl: '/ar',
      variants: [variant('A', { imageUrl: 'https://a.example/2.png' }, 2), variant('B')],
    },
  })
  const again = opened(stored)
  assert.deepEqual(again.content['ar'], { title: 'مرحبا', ctaUrl: '/ar' })
  assert.deepEqual(again.variants[0]?.texts['ar'], {})
  assert.deepEqual(again.takes, [])
  assert.deepEqual(storedContent(again, 'en'), stored)
  assert.deepEqual(storedContent(message, undefined)['ar'], {
    title: 'مرحبا',
    ctaUrl: '/ar',
    variants: [variant('A', {}, 2), variant('B')],
  })
})

test('a variant without any words in a language takes those of the source language, and only then', () => {
  const message: DraftMessage = {
    content: { en: { ctaLabel: 'Shop' }, ar: {} },
    variants: [
      { id: 'A', weight: 1, texts: { en: { title: 'One' }, ar: { title: 'واحد' } } },
      { id: 'B', weight: 1, texts: { en: { title: 'Two' } } },
    ],
  }
  const stored = storedContent(message, 'en')
  const two = variant('B', { title: 'Two', ctaLabel: 'Shop' })
  assert.deepEqual(stored['ar'], { variants: [variant('A', { title: 'واحد' }), two] })
  assert.deepEqual(opened(stored).variants[1]?.texts, { en: { title: 'Two' }, ar: {} })
  assert.deepEqual(languageWarnings(message, 'en'), [{ kind: 'readsSource', locale: 'ar', variant: 'B' }])
  assert.deepEqual(warningsOfStored(stored, 'en'), [{ kind: 'readsSource', locale: 'ar', variant: 'B' }])
  message.content['ar'] = { title: 'للجميع' }
  assert.deepEqual(storedContent(message, 'en')['ar']?.variants?.[1], variant('B'))
  assert.deepEqual(languageWarnings(message, 'en'), [{ kind: 'readsShared', locale: 'ar', variant: 'B' }])
})

test('what is copied to be translated stays written after it was saved', () => {
  const en = { title: 'Hello', ctaUrl: '/shop' }
  const message: DraftMessage = { content: { en }, variants: [{ id: 'A', weight: 1, texts: { en: { title: 'Hi' } } }] }
  const copied = withCopy(message, 'en', 'ar', true)
  assert.deepEqual(copied.content['ar'], { title: 'Hello' })
  const again = opened(storedContent(copied, 'en'))
  assert.deepEqual(again.content['ar'], { title: 'Hello' })
  assert.deepEqual(again.variants[0]?.texts['ar'], { title: 'Hi' })
})

test('a link that is taken without a label is told, and so are stored languages with different variants', () => {
  const en = { title: 'Hello', ctaLabel: 'Shop', ctaUrl: '/shop' }
  const message: DraftMessage = { content: { en, ar: { title: 'مرحبا' } }, variants: [] }
  assert.deepEqual(languageWarnings(message, 'en'), [{ kind: 'noLabel', locale: 'ar' }])
  assert.deepEqual(warningsOfStored({ en, ar: { title: 'مرحبا', variants: [variant('A')] } }, 'en'), [{ kind: 'unequal' }])
})

test('of a campaign that was stored otherwise the message is only sent once it is edited', () => {
  const now = Date.parse('2030-01-01T00:00:00.000Z')
  const held = {
    ...newDraft('UTC', 'en'),
    name: 'Eid',
    schedule: { startTime: '2029-01-01T00:00:00.000Z', timezone: 'UTC' },
    content: { en: { title: 'Hello', imageUrl: '/1.png', variants: [variant('A')] }, ar: { title: 'مرحبا' } },
  }
  assert.deepEqual(adoptionOf(held, 'en'), { isMerged: true, takes: ['ar'] })
  const draft = draftOf(held, { now, source: 'en' })
  const changes = (part: object) =>
    Object.keys(changedMembers(bodyOf({ ...draft, ...part }, held.schedule.startTime, { now, source: 'en' }), held, 'en'))
  assert.deepEqual(changes({}), [])
  assert.deepEqual(changes({ content: { ...draft.content, ar: { title: 'أهلا' } } }), ['content'])
  assert.equal(adoptionOf({ content: bodyOf(draft, undefined, { now, source: 'en' }).content }, 'en'), undefined)
  const { variants: _, ...older } = draft
  assert.deepEqual(keptDraft({ ...older, content: held.content }, 'en'), draft)
})

test('a language that is begun appears where the others do, and says nothing by that alone', () => {
  const message: DraftMessage = {
    content: { en: { title: 'Hello', placementIds: ['top'] } },
    variants: [{ id: 'A', weight: 1, texts: {} }],
  }
  const next = withTexts(message, 0, 'ar', { title: 'أ' })
  assert.deepEqual(storedContent(next, 'en')['ar'], { placementIds: ['top'], variants: [variant('A', { title: 'أ' })] })
  assert.ok(isBlank({ ...message, content: begun(message, 'ar') }, 'ar'))
  assert.ok(!isBlank({ content: { en: { placementIds: ['top'] } }, variants: [] }, 'en'))
})

test('what variants say in a mail of sections is kept, also in a language that says nothing else', () => {
  const mail = { texts: { en: { subject: 'S' } }, hidden: ['two'] }
  const content: StoredContent = { en: { variants: [variant('A'), { ...variant('B'), mail }] } }
  const alone = { mail: { ...EXAMPLE, texts: { en: EXAMPLE.texts['en']! } }, dispatchChannels: ['email'] }
  assert.deepEqual(storedContent({ ...opened(content), ...alone }, 'en'), content)
  // In a mail of two languages it stands in both, and is one while it is written.
  const both = storedContent({ ...opened(content), ...alone, mail: EXAMPLE }, 'en')
  assert.deepEqual(both, { en: content['en'], ar: content['en'] })
  assert.deepEqual(
    opened(both).variants.map((each) => each.mail),
    [undefined, mail],
  )
})

test('what another program wrote by languages stays until it is written here, and is one then', () => {
  const said = (locale: string, subject: string) => ({ texts: { [locale]: { subject } } })
  const content: StoredContent = {
    en: { title: 'Hello', variants: [{ ...variant('A'), mail: said('en', 'S') }] },
    ar: { title: 'مرحبا', variants: [{ ...variant('A'), mail: { ...said('ar', 'ع'), hidden: ['two'] } }] },
  }
  const message = opened(content)
  assert.deepEqual(storedContent(message, 'en'), content)
  const [first] = message.variants
  assert.deepEqual(mailOf(first!), { texts: { en: { subject: 'S' }, ar: { subject: 'ع' } } })
  const variants = withMail(message.variants, 0, mailOf(first!))
  const stored = storedContent({ ...message, variants }, 'en')
  assert.deepEqual(stored['en']?.variants?.[0]?.mail, stored['ar']?.variants?.[0]?.mail)
})
