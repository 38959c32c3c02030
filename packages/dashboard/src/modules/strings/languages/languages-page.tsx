import { Badge, Button, Group, Menu, ActionIcon, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDots, IconPlus, IconSparkles, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useWrite } from '../../../data.ts'
import { useFormat } from '../../../format.ts'
import { useSession } from '../../../session.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Page } from '../../../ui/page.tsx'
import { AddLanguageDialog } from './add-language-dialog.tsx'
import { inLanguage, STALE, useLanguages, type Locale } from '../api.ts'
import { CoverageBar } from './coverage.tsx'
import { useLanguageName } from '../language-name.ts'
import { RunBar } from '../run-bar.tsx'
import { SourceLanguage } from './source-language.tsx'
import { useTexts } from '../texts.ts'
import { useBulk } from '../use-bulk.ts'

/** The languages of the workspace: how far each is, and what can be done with all of it. */
export function LanguagesPage() {
  const t = useTexts()
  const { workspace, mayEdit } = useSession()
  const { languages, error, retry } = useLanguages()
  const [isAdding, adding] = useDisclosure()
  return (
    <Page
      title={t('languages')}
      subtitle={t('languagesLead')}
      path={[{ label: t('title'), to: `/w/${workspace.id}/strings` }]}
      actions={
        mayEdit && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={adding.open}>
            {t('addLanguage')}
          </Button>
        )
      }
    >
      <RunBar />
      <Loaded read={{ data: languages, error, refetch: retry }} height={320}>
        {(known) => (
          <>
            <SourceLanguage languages={known} />
            <Stack gap="sm">
              <Title order={2}>{t('translatedInto')}</Title>
              {known.translated.length === 0 && <Text c="dimmed">{t('noLanguagesText')}</Text>}
              <SimpleGrid cols={{ base: 1, md: 2 }} spacing="sm">
                {known.translated.map((locale) => (
                  <LanguageCard key={locale.code} locale={locale} />
                ))}
              </SimpleGrid>
            </Stack>
            <AddLanguageDialog isOpen={isAdding} onClose={adding.close} taken={known.all.map(({ code }) => code)} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function LanguageCard({ locale }: { locale: Locale }) {
  const t = useTexts()
  const { workspace, mayEdit } = useSession()
  return (
    <Paper withBorder p="md">
      <Stack gap="xs">
        <CoverageBar
          locale={locale}
          linkTo={({ code }, status) => `/w/${workspace.id}/strings?locales=${encodeURIComponent(code)}&status=${status}&hidden=false`}
        />
        <Group justify="space-between" gap="xs">
          <Group gap="xs">
            <Text size="sm" c="dimmed" {...inLanguage(locale)}>
              {locale.native}
            </Text>
            {locale.rtl && (
              <Badge variant="default" size="sm" tt="none" fw={500}>
                {t('rightToLeft')}
              </Badge>
            )}
          </Group>
          {mayEdit && <LanguageMenu locale={locale} />}
        </Group>
      </Stack>
    </Paper>
  )
}

function LanguageMenu({ locale }: { locale: Locale }) {
  const t = useTexts()
  const format = useFormat()
  const nameOf = useLanguageName()
  const { mayAdmin } = useSession()
  const bulk = useBulk()
  const [asked, setAsked] = useState<'draft' | 'remove'>()
  const language = nameOf(locale)
  const { ok, review, missing } = locale.counts
  const remove = useWrite<void>(() => ({ path: `/locales/${encodeURIComponent(locale.code)}`, method: 'DELETE' }), {
    stale: STALE,
    done: t('languageRemoved', { language }),
    showsError: true,
  })
  const close = () => {
    remove.reset()
    setAsked(undefined)
  }
  if (missing === 0 && !mayAdmin) return null
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t('actionsOf', { language })}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            disabled={missing === 0 || bulk.isBusy}
            leftSection={<IconSparkles size={16} aria-hidden />}
            onClick={() => setAsked('draft')}
          >
            {t('draftAllMissing')}
          </Menu.Item>
          {mayAdmin && (
            <Menu.Item color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => setAsked('remove')}>
              {t('removeLanguage')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <Confirm
        isOpen={asked === 'draft'}
        onClose={close}
        onConfirm={() => {
          bulk.draftMissing(locale)
          close()
        }}
        title={t('draftTitle', { count: missing, language })}
        action={t('draft')}
      >
        {t('draftText')}
      </Confirm>
      <Confirm
        isOpen={asked === 'remove'}
        onClose={close}
        onConfirm={() => remove.mutate(undefined, { onSuccess: close })}
        title={t('removeLanguageTitle', { language })}
        action={t('removeLanguage')}
        typed={locale.code}
        isDangerous
        isBusy={remove.isPending}
      >
        <Stack gap="xs">
          <Text size="sm">{t('removeLanguageLost', { count: ok + review, number: format.number(ok + review) })}</Text>
          <Text size="sm">{t('removeLanguageApps', { language })}</Text>
          {remove.error && <Failure error={remove.error} />}
        </Stack>
      </Confirm>
    </>
  )
}
