import { Button, Group, SimpleGrid, Tabs, Text } from '@mantine/core'
import { IconCircleDashed } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useFormat } from '../../../format.ts'
import { copyMissing, isUnfinished, missingIn, setTexts, textsIn } from './document/change-texts.ts'
import { useEditing } from './editing-context.ts'
import { WordInput } from './panel/word-input.tsx'
import { useTexts } from './texts.ts'

/** Characters that lists of mails show. */
const [SUBJECT, PREHEADER] = [70, 90]

/** The languages as tabs, which say where something is missing. `aside`: at the other end of them. */
export function LanguageTabs({ aside, children }: { aside: ReactNode; children: ReactNode }) {
  const t = useTexts()
  const format = useFormat()
  const { document, locales, locale, setLocale, source } = useEditing()
  const first = source ?? locale
  return (
    <Tabs value={locale} onChange={(next) => next && setLocale(next)} variant="outline">
      <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
        <Tabs.List aria-label={t('language')} flex={1} miw={0}>
          {locales.map((code) => {
            const isMissing = isUnfinished(document, code)
            return (
              <Tabs.Tab key={code} value={code} rightSection={isMissing && <IconCircleDashed size={14} aria-hidden />}>
                {format.language(code)}
                {code === first && locales.length > 1 && (
                  <Text span size="xs" c="dimmed">
                    {' '}
                    · {t('sourceLanguage')}
                  </Text>
                )}
                {isMissing && <span className="cf-visually-hidden"> ({t('isMissing')})</span>}
              </Tabs.Tab>
            )
          })}
        </Tabs.List>
        {aside}
      </Group>
      {locales.map((code) => (
        <Tabs.Panel key={code} value={code} pt="md">
          {code === locale && children}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

/** What lists of mails show of it, in the language that is written. */
export function SubjectFields() {
  const t = useTexts()
  const { document, change, locale, source } = useEditing()
  const { subject, preheader = '' } = textsIn(document, locale)
  const there = source === undefined ? undefined : textsIn(document, source)
  const set = (part: { subject?: string; preheader?: string }, member: string) =>
    change(setTexts(document, locale, part), `${member} ${locale}`)
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
      <WordInput
        label={t('subject')}
        value={subject}
        onChange={(next) => set({ subject: next }, 'subject')}
        inSource={there?.subject}
        most={SUBJECT}
      />
      <WordInput
        label={t('preheader')}
        description={t('preheaderHelp')}
        value={preheader}
        onChange={(next) => set({ preheader: next }, 'preheader')}
        inSource={there?.preheader}
        most={PREHEADER}
      />
    </SimpleGrid>
  )
}

/** How much of the mail this language does not say, and a beginning for it. */
export function MissingTexts() {
  const t = useTexts()
  const format = useFormat()
  const { document, change, locale, source } = useEditing()
  const missing = missingIn(document, locale)
  if (source === undefined || missing.length === 0) return null
  const language = format.language(locale)
  const isBegun = Object.hasOwn(document.texts, locale)
  return (
    <Group gap="xs" justify="space-between">
      <Text size="sm" c="dimmed" flex="1 1 240px">
        {isBegun
          ? t('missingCount', { count: missing.length, formatted: format.number(missing.length), language })
          : t('notBegun', { language })}
      </Text>
      <Button variant="default" size="xs" onClick={() => change(copyMissing(document, source, locale))}>
        {t('copyMissing', { language: format.language(source) })}
      </Button>
    </Group>
  )
}
