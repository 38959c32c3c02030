import { Alert, Button, Group, Text } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { useWrite } from '../../../data.ts'
import { useFormat } from '../../../format.ts'
import { useSession } from '../../../session.tsx'
import { campaignApi, STALE, type Campaign, type CampaignReport } from '../api.ts'
import { useReportTexts } from './texts.ts'

type InterruptedNoticeProps = { campaign: Campaign; channels: readonly CampaignReport['channels'][string][] }

/** Messages that may or may not have left when the server stopped, and the way to send them again (G-84). */
export function InterruptedNotice({ campaign, channels }: InterruptedNoticeProps) {
  const t = useReportTexts()
  const format = useFormat()
  const { mayEdit } = useSession()
  const resend = useWrite<void>(() => ({ method: 'POST', path: `${campaignApi(campaign.id)}/resend-interrupted`, body: {} }), {
    stale: STALE,
    done: t('resent'),
  })
  const count = channels.reduce((sum, { failures }) => sum + (failures['interrupted'] ?? 0), 0)
  if (count === 0) return null
  return (
    <Alert color="yellow" icon={<IconPlugConnectedX aria-hidden />}>
      <Group justify="space-between">
        <Text size="sm">{t('resendText', { count, formatted: format.number(count) })}</Text>
        {mayEdit && campaign.status === 'active' && (
          <Button variant="default" size="sm" loading={resend.isPending} onClick={() => resend.mutate()}>
            {t('resend')}
          </Button>
        )}
      </Group>
    </Alert>
  )
}
