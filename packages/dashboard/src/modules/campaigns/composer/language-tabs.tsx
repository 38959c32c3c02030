import { Button, Group, Menu, Stack, Tabs, Text } from '@mantine/core'
import { IconCircleDashed, IconPlus } from '@tabler/icons-react'
import { pickContentLocale } from '@contentflow/core/messages/content.ts'
import { useFormat } from '../../../format.ts'
import { useComposer } from './composer-context.tsx'
import { MessageFields } from './message-fields.tsx'
import { useTexts } from './texts.ts'
import { isBlank, isSilent, sourceAmong, withCopy, writtenLocales } from './variants/structure.ts'

/** A tab for each language, which says whether something is written in it: at all, or for the open variant. */
export function LanguageTabs() {
  const t = useTexts()
  const format = useFormat()
  const { draft, locales, source, locale, setLocale, variant } = useComposer()
  const open = variant === null ? undefined : draft.variants[variant]
  const codes = [...new Set([...locales.map(({ code }) => code), ...Object.keys(draft.content), ...writtenLocales(draft)])]
  return (
    <Tabs value={locale} onChange={(next) => next && setLocale(next)} variant="outline">
      <Tabs.List aria-label={t('language')}>
        {codes.map((code) => {
          const isEmpty = isBlank(draft, code) || (open !== undefined && isSilent(open, code))
          return (
            <Tabs.Tab key={code} value={code} rightSection={isEmpty && <IconCircleDashed size={14} aria-hidden />}>
              {format.language(code)}
              {code === source?.code && codes.length > 1 && (
                <Text span size="xs" c="dimmed">
                  {' '}
                  · {t('source')}
                </Text>
              )}
              {isEmpty && <span className="cf-visually-hidden"> ({t('isMissing')})</span>}
            </Tabs.Tab>
          )
        })}
        {codes.length === 0 && <AddLanguage />}
      </Tabs.List>
      {codes.map((code) => (
        <Tabs.Panel key={code} value={code} pt="md">
          {code === locale && (
            <Stack gap="sm">
              <Fallback />
              <MessageFields />
            </Stack>
          )}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

/** A workspace without languages has no source language either, so the author names one. */
function AddLanguage() {
  const t = useTexts()
  const format = useFormat()
  const { setLocale } = useComposer()
  return (
    <Menu>
      <Menu.Target>
        <Button variant="subtle" size="xs" leftSection={<IconPlus size={14} aria-hidden />}>
          {t('addLanguage')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {['en', 'ar'].map((code) => (
          <Menu.Item key={code} onClick={() => setLocale(code)}>
            {format.language(code)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** What readers of this language get while it has no text, and the texts to start from. */
function Fallback() {
  const t = useTexts()
  const format = useFormat()
  const { draft, change, source, locale } = useComposer()
  const written = writtenLocales(draft)
  if (written.includes(locale) || written.length === 0) return null
  const fallback = pickContentLocale(written, locale, source?.code ?? null)
  const from = fallback ?? written[0] ?? ''
  return (
    <Group gap="xs" justify="space-between">
      <Text size="sm" c="dimmed" flex="1 1 240px">
        {fallback === undefined
          ? t('fallbackNone', { language: format.language(locale) })
          : t('fallbackParent', { language: format.language(locale), fallback: format.language(fallback) })}
      </Text>
      <Button
        variant="default"
        size="xs"
        onClick={() => change(withCopy(draft, from, locale, from === sourceAmong(written, source?.code)))}
      >
        {t('copyFrom', { language: format.language(from) })}
      </Button>
    </Group>
  )
}
