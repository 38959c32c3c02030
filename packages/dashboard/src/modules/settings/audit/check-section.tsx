import { Alert, Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDownload, IconShieldCheck } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { AuditSettings, AuditVerdict } from '@contentflow/server/wire.ts'
import { call } from '../../../api.ts'
import { useRead } from '../../../data.ts'
import { useFormat } from '../../../format.ts'
import { useRefusal } from '../../../refusals.ts'
import { useSession } from '../../../session.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Section } from '../../../ui/section.tsx'
import { SETTINGS } from './paths.ts'
import { saveLog } from './save-log.ts'
import { useAuditTexts } from './texts.ts'

/** When the log was last checked and what was found; checking it again; and the file of it. */
export function CheckSection() {
  const t = useAuditTexts()
  const { workspace } = useSession()
  const client = useQueryClient()
  const say = useRefusal()
  const settings = useRead<AuditSettings>(SETTINGS)
  const check = useMutation({
    mutationFn: async () => call<AuditVerdict>('/audit/verify', { workspaceId: workspace.id }),
    onSuccess: async () => client.invalidateQueries({ queryKey: [workspace.id, SETTINGS] }),
  })
  const save = useMutation({
    mutationFn: async () => saveLog(workspace.id),
    onError: (error) => notifications.show({ message: say(error), color: 'red', autoClose: 10_000 }),
  })
  return (
    <Section title={t('checkTitle')} text={t('checkText')}>
      <Loaded read={settings} height={48}>
        {({ lastCheck }) => <LastCheck lastCheck={lastCheck} />}
      </Loaded>
      {check.error && <Failure error={check.error} />}
      <Group>
        <Button leftSection={<IconShieldCheck size={16} aria-hidden />} loading={check.isPending} onClick={() => check.mutate()}>
          {t('check')}
        </Button>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          loading={save.isPending}
          onClick={() => save.mutate()}
        >
          {t('export')}
        </Button>
      </Group>
    </Section>
  )
}

function LastCheck({ lastCheck }: Pick<AuditSettings, 'lastCheck'>) {
  const t = useAuditTexts()
  const format = useFormat()
  if (!lastCheck) return <Text size="sm">{t('never')}</Text>
  const when = format.moment(lastCheck.at)
  const { fault } = lastCheck
  if (!fault)
    return (
      <Alert color="teal" role="status">
        {t('lastGood', { when })}
      </Alert>
    )
  return (
    <Alert color="red" role="alert">
      {t('lastBad', { when, seq: format.number(fault.seq) })} {t(`fault_${fault.kind}`)}
    </Alert>
  )
}
