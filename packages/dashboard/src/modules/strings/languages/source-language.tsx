import { Alert, Paper, Select, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { useWrite } from '../../../data.ts'
import { useSession } from '../../../session.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { STALE, type Languages } from '../api.ts'
import { useLanguageName } from '../language-name.ts'
import { useTexts } from '../texts.ts'

/** The language that source texts are in; an admin says which. */
export function SourceLanguage({ languages: { source, all } }: { languages: Languages }) {
  const t = useTexts()
  const nameOf = useLanguageName()
  const { mayAdmin } = useSession()
  const [asked, setAsked] = useState<string>()
  const change = useWrite<string>((code) => ({ path: '/settings/source-locale', method: 'PUT', body: { code } }), {
    stale: [...STALE, '/settings/source-locale', '/blocks', '/instances'],
    done: t('sourceChanged'),
    showsError: true,
  })
  const next = all.find(({ code }) => code === asked)
  const lost = next?.counts
  const close = () => {
    change.reset()
    setAsked(undefined)
  }
  return (
    <Paper withBorder p="md">
      <Stack gap="xs">
        <Title order={2}>{t('sourceLanguage')}</Title>
        <Text size="sm" c="dimmed">
          {t('sourceLanguageText')}
        </Text>
        {mayAdmin ? (
          <Select
            aria-label={t('sourceLanguage')}
            data={all.map((locale) => ({ value: locale.code, label: `${nameOf(locale)} (${locale.code})` }))}
            value={source?.code ?? null}
            onChange={(code) => code !== null && code !== source?.code && setAsked(code)}
            allowDeselect={false}
            placeholder={t('sourceUnsaid')}
            maw={320}
          />
        ) : (
          <Text size="sm" fw={600}>
            {source ? nameOf(source) : t('sourceUnsaid')}
          </Text>
        )}
      </Stack>
      <Confirm
        isOpen={asked !== undefined}
        onClose={close}
        onConfirm={() => asked !== undefined && change.mutate(asked, { onSuccess: close })}
        title={t('sourceChangeTitle', { language: next ? nameOf(next) : '' })}
        action={t('change')}
        isBusy={change.isPending}
      >
        <Stack gap="xs">
          <Text size="sm">{t('sourceChangeText', { language: next ? nameOf(next) : '' })}</Text>
          {lost && lost.ok + lost.review > 0 && <Alert color="orange">{t('sourceChangeUnused', { count: lost.ok + lost.review })}</Alert>}
          {change.error && <Failure error={change.error} />}
        </Stack>
      </Confirm>
    </Paper>
  )
}
