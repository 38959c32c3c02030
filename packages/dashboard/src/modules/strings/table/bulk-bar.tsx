import { Button, Group, Menu, Paper, Text } from '@mantine/core'
import { IconChecks, IconChevronDown, IconSparkles } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import type { Query } from '../../../api.ts'
import { useFormat } from '../../../format.ts'
import { Confirm } from '../../../ui/confirm.tsx'
import { Failure } from '../../../ui/failure.tsx'
import type { Locale } from '../api.ts'
import { useLanguageName } from '../language-name.ts'
import { useBulk } from '../use-bulk.ts'
import { useTexts } from '../texts.ts'

type BulkBarProps = {
  selected: ReadonlySet<string>
  shown: number
  /** How many match the filters; not all of them may be loaded. */
  total: number | undefined
  query: Query
  locales: Locale[]
  onSelect: (keys: string[]) => void
  onClear: () => void
}

type BulkAction = { act: 'approve' | 'draft'; locale: Locale }

/** The actions on the chosen strings. */
export function BulkBar({ selected, shown, total, query, locales, onSelect, onClear }: BulkBarProps) {
  const t = useTexts()
  const format = useFormat()
  const nameOf = useLanguageName()
  const bulk = useBulk()
  const [asked, setAsked] = useState<BulkAction>()
  const everything = useEverything(query, onSelect)
  const count = selected.size
  const start = () => {
    if (!asked) return
    bulk[asked.act](asked.locale.code, [...selected])
    setAsked(undefined)
    onClear()
  }
  return (
    <Paper withBorder p="xs" px="sm" role="region" aria-label={t('selection')}>
      <Group justify="space-between" gap="xs">
        <Group gap="sm">
          <Text size="sm" fw={500}>
            {t('selected', { count, number: format.number(count) })}
          </Text>
          {total !== undefined && total > shown && count < total && (
            <Button size="compact-sm" variant="subtle" loading={everything.found !== undefined} onClick={everything.start}>
              {t('selectAll', { count: total, number: format.number(total) })}
            </Button>
          )}
          {everything.found !== undefined && (
            <Text size="xs" c="dimmed" role="status">
              {t('selecting', { number: format.number(everything.found) })}
            </Text>
          )}
        </Group>
        <Group gap="xs">
          <PerLanguage
            label={t('approve')}
            icon={<IconChecks size={16} aria-hidden />}
            locales={locales}
            isBusy={bulk.isBusy}
            onChoose={(locale) => setAsked({ act: 'approve', locale })}
          />
          <PerLanguage
            label={t('draftMissing')}
            icon={<IconSparkles size={16} aria-hidden />}
            locales={locales}
            isBusy={bulk.isBusy}
            onChoose={(locale) => setAsked({ act: 'draft', locale })}
          />
          <Button size="xs" variant="subtle" color="gray" onClick={onClear}>
            {t('clearSelection')}
          </Button>
        </Group>
      </Group>
      {everything.error && <Failure error={everything.error} onRetry={everything.start} />}
      <Confirm
        isOpen={asked !== undefined}
        onClose={() => setAsked(undefined)}
        onConfirm={start}
        title={t(asked?.act === 'draft' ? 'draftTitle' : 'approveTitle', { count, language: asked ? nameOf(asked.locale) : '' })}
        action={t(asked?.act === 'draft' ? 'draft' : 'approve')}
      >
        {t(asked?.act === 'draft' ? 'draftText' : 'approveText')}
      </Confirm>
    </Paper>
  )
}

type PerLanguageProps = {
  label: string
  icon: React.ReactNode
  locales: Locale[]
  isBusy: boolean
  onChoose: (locale: Locale) => void
}

/** A button, or with several languages a menu of them. */
function PerLanguage({ label, icon, locales, isBusy, onChoose }: PerLanguageProps) {
  const nameOf = useLanguageName()
  const [only] = locales
  const look = { size: 'xs', variant: 'default', leftSection: icon, disabled: isBusy } as const
  if (!only) return null
  if (locales.length === 1)
    return (
      <Button {...look} onClick={() => onChoose(only)}>
        {label}
      </Button>
    )
  return (
    <Menu>
      <Menu.Target>
        <Button {...look} rightSection={<IconChevronDown size={14} aria-hidden />}>
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {locales.map((locale) => (
          <Menu.Item key={locale.code} onClick={() => onChoose(locale)}>
            {nameOf(locale)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** Reads all keys that match; `found` counts them while it does. */
function useEverything(query: Query, onSelect: (keys: string[]) => void) {
  const { collectKeys } = useBulk()
  const [found, setFound] = useState<number>()
  const [error, setError] = useState<Error>()
  const controller = useRef<AbortController>(undefined)
  useEffect(() => () => controller.current?.abort(), [])
  const start = () => {
    const { signal } = (controller.current = new AbortController())
    setError(undefined)
    setFound(0)
    collectKeys(query, signal, setFound)
      .then(onSelect)
      .catch((reason: unknown) => {
        if (!signal.aborted) setError(reason instanceof Error ? reason : new Error(String(reason)))
      })
      .finally(() => setFound(undefined))
  }
  return { found, error, start }
}
