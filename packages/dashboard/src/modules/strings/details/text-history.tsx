import { Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useState } from 'react'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { TextHistory as History } from '@contentflow/server/wire.ts'
import { useRead, useWrite } from '../../../data.ts'
import { useFormat } from '../../../format.ts'
import { useSession } from '../../../session.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Moment } from '../../../ui/moments/moment.tsx'
import { useMemberNames } from '../../content/use-member-names.ts'
import { pathOf, STALE, translationPath, versionOf, type Locale } from '../api.ts'
import { useHistoryTexts } from '../history-texts.ts'
import { useLanguageName } from '../language-name.ts'
import { Side } from '../text-conflict.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { isVersionChanged } from '../../../ui/unsaved/use-conflict.ts'

type TextHistoryProps = {
  textKey: string
  locale: Locale | undefined
  isSource?: boolean
  /** The tag of the shown text. */
  etag: string | undefined
}

/** Who changed a text when, from what to what; a button restores the text before a change. */
export function TextHistory(props: TextHistoryProps) {
  const t = useHistoryTexts()
  const [isOpen, setOpen] = useState(false)
  const title = useTitle(props)
  return (
    <>
      <Button
        size="compact-sm"
        variant="subtle"
        color="gray"
        leftSection={<IconHistory size={14} aria-hidden />}
        aria-label={title}
        onClick={() => setOpen(true)}
      >
        {t('history')}
      </Button>
      {isOpen && <HistoryDialog {...props} title={title} onClose={() => setOpen(false)} />}
    </>
  )
}

function useTitle({ textKey: key, locale, isSource = false }: TextHistoryProps): string {
  const t = useHistoryTexts()
  const nameOf = useLanguageName()
  return isSource || !locale ? t('historyOfSource', { key }) : t('historyOf', { key, language: nameOf(locale) })
}

type DialogProps = TextHistoryProps & { title: string; onClose: () => void }

function HistoryDialog({ textKey, locale, isSource = false, etag, title, onClose }: DialogProps) {
  const t = useHistoryTexts()
  const format = useFormat()
  const nameOf = useMemberNames()
  const { mayEdit } = useSession()
  const path = isSource || !locale ? pathOf(textKey) : translationPath(textKey, locale.code)
  const found = useRead<History>(`${path}/history`)
  const restore = useWrite<number>((number) => ({ path: `${path}/restore`, method: 'POST', body: { number }, version: versionOf(etag) }), {
    stale: STALE,
    done: t(isSource ? 'sourceRestored' : 'restored'),
    showsError: true,
  })
  const history = found.data?.history
  return (
    <Dialog opened onClose={onClose} title={title} size="lg">
      <Stack gap="md">
        {found.error && <Failure error={found.error} onRetry={() => void found.refetch()} />}
        {isVersionChanged(restore.error) ? (
          <Text size="sm" role="alert">
            {t('changedMeanwhile')}
          </Text>
        ) : (
          restore.error && <Failure error={restore.error} />
        )}
        {!history && !found.error && <Skeleton h={120} />}
        {history?.length === 0 && <Text size="sm">{t('empty')}</Text>}
        {history && history.length > 0 && (
          <Stack component="ul" gap="md" m={0} p={0} style={{ listStyle: 'none' }} aria-label={title}>
            {history.map(({ number, from, to, madeBy, at }) => (
              <li key={number}>
                <Stack gap={6}>
                  <Text size="xs" c="dimmed" component="div">
                    {nameOf(madeBy)} · <Moment at={at} />
                  </Text>
                  <Side title={t('before')} text={from} locale={locale} />
                  <Side title={t('after')} text={to} locale={locale} />
                  {mayEdit && from !== null && (
                    <Group>
                      <Button
                        size="compact-sm"
                        variant="default"
                        loading={restore.isPending && restore.variables === number}
                        onClick={() => restore.mutate(number, { onSuccess: onClose })}
                      >
                        {t('restore')}
                      </Button>
                    </Group>
                  )}
                </Stack>
              </li>
            ))}
          </Stack>
        )}
        <Text size="xs" c="dimmed">
          {t('limit', { number: format.number(LIMITS.textHistory) })}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('close')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
