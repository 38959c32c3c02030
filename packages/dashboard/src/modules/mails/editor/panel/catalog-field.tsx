import { Button, Group, Loader, Select, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { catalogBlocks } from '@contentflow/core/mail/catalog-texts.ts'
import { localeChain } from '@contentflow/core/locale/pick-locale.ts'
import { foldTag } from '@contentflow/core/locale/language-tag.ts'
import type { MailNode } from '@contentflow/core/mail/document.ts'
import type { StringItem } from '@contentflow/server/wire.ts'
import { useRead } from '../../../../data.ts'
import { useFormat } from '../../../../format.ts'
import { catalogKeyOf, setText, textOf } from '../document/change-texts.ts'
import { useEditing } from '../editing-context.ts'
import { wordsOf } from '../kinds.tsx'
import { useTexts } from '../texts.ts'

/** Keys that are offered at once. */
const MOST = 20

/** Takes the words of a heading or text from the catalog of texts, in every language of the mail at once, or lets them be written again. */
export function CatalogField({ node }: { node: MailNode }) {
  const t = useTexts()
  const { document, change, locale } = useEditing()
  const [isChoosing, setChoosing] = useState(false)
  const key = catalogKeyOf(document, locale, node.id)
  const take = (item: StringItem) => {
    setChoosing(false)
    const languages = [...new Set([...Object.keys(document.texts), locale])]
    const text = (language: string) => ({ string: item.key, blocks: catalogBlocks(saidIn(item, language)) })
    change(languages.reduce((mail, language) => setText(mail, language, node.id, text(language)), document))
  }
  const own = () => {
    const languages = Object.keys(document.texts).filter((language) => catalogKeyOf(document, language, node.id) !== undefined)
    const text = (language: string) => {
      const held = textOf(document, language, node.id)
      return held && 'blocks' in held && held.blocks.length > 0 ? { blocks: held.blocks } : undefined
    }
    change(languages.reduce((mail, language) => setText(mail, language, node.id, text(language)), document))
  }
  return (
    <Stack gap="xs">
      {key !== undefined && <Taken node={node} name={key} />}
      {isChoosing ? (
        <KeySearch onPick={take} onClose={() => setChoosing(false)} />
      ) : (
        <Group gap="xs">
          <Button variant="default" size="xs" onClick={() => setChoosing(true)}>
            {t(key === undefined ? 'catalogTake' : 'catalogOther')}
          </Button>
          {key !== undefined && (
            <Button variant="default" size="xs" onClick={own}>
              {t('catalogOwn')}
            </Button>
          )}
        </Group>
      )}
    </Stack>
  )
}

/** What the catalog says under the key in each language of the mail. */
function Taken({ node, name }: { node: MailNode; name: string }) {
  const t = useTexts()
  const format = useFormat()
  const { document, locales } = useEditing()
  const said = locales.flatMap((code) => {
    const text = textOf(document, code, node.id)
    return text && 'string' in text && text.string === name ? [{ code, words: wordsOf(text) }] : []
  })
  return (
    <Stack gap={4}>
      <Text size="sm" fw={500}>
        {t('catalogFrom')}{' '}
        <bdi className="cf-code" style={{ overflowWrap: 'anywhere' }}>
          {name}
        </bdi>
      </Text>
      {said.map(({ code, words }) => (
        <Text key={code} size="sm" c="dimmed">
          {format.language(code)}:{' '}
          <bdi lang={code} className="cf-foreign">
            {words || t('catalogSilent')}
          </bdi>
        </Text>
      ))}
      <Text size="xs" c="dimmed">
        {t('catalogHelp')}
      </Text>
    </Stack>
  )
}

function KeySearch({ onPick, onClose }: { onPick: (item: StringItem) => void; onClose: () => void }) {
  const t = useTexts()
  const { locale } = useEditing()
  const [typed, setTyped] = useState('')
  const field = useRef<HTMLInputElement>(null)
  // The button that opened it is gone.
  useEffect(() => field.current?.focus(), [])
  const [q] = useDebouncedValue(typed.trim(), 250)
  const found = useRead<{ strings: StringItem[] }>('/strings', { ...(q !== '' && { q }), limit: MOST })
  const items = new Map((found.data?.strings ?? []).map((item) => [item.key, item]))
  return (
    <Select
      label={t('catalogKey')}
      description={t('catalogKeyHelp')}
      inputWrapperOrder={['label', 'input', 'description']}
      data={[...items.keys()]}
      filter={({ options }) => options}
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      value={null}
      onChange={(key) => {
        const item = items.get(key ?? '')
        if (item) onPick(item)
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onClose()
      }}
      nothingFoundMessage={found.isFetching ? t('catalogSearching') : t('catalogNone')}
      rightSection={found.isFetching ? <Loader size={14} /> : undefined}
      renderOption={({ option }) => {
        const item = items.get(option.value)
        return (
          <div style={{ minWidth: 0 }}>
            <Text size="sm" truncate dir="ltr" className="cf-code" ta="start">
              {option.value}
            </Text>
            <Text size="xs" c="dimmed" truncate dir="auto" className="cf-foreign">
              {item && saidIn(item, locale)}
            </Text>
          </div>
        )
      }}
      ref={field}
    />
  )
}

/** About as the server fills it when the mail is saved: the approved text of the language or of a parent, else the source text. */
function saidIn({ sourceText, translations }: StringItem, locale: string): string {
  const byTag = new Map(Object.entries(translations).map(([code, said]) => [foldTag(code), said]))
  const approved = localeChain(locale).flatMap((tag) => {
    const said = byTag.get(tag)
    return said?.status === 'ok' && said.text !== null ? [said.text] : []
  })
  return approved[0] ?? sourceText
}
