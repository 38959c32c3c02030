import { Alert, Paper, Progress, Skeleton, Stack, Table, Text, Title } from '@mantine/core'
import { IconAlertTriangle, IconMailFast } from '@tabler/icons-react'
import { isShortened } from '@contentflow/core/messages/short-link.ts'
import { useRead } from '../../../data.ts'
import { useFormat } from '../../../format.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Section } from '../../../ui/section.tsx'
import { Wide } from '../../../ui/wide.tsx'
import { campaignApi, type Campaign, type CampaignReport } from '../api.ts'
import { useChannelName } from '../words.ts'
import { InterruptedNotice } from './interrupted-notice.tsx'
import { OnePerson } from './one-person.tsx'
import { COUNTED_CHANNELS, Responses } from './responses.tsx'
import { SkipReasons } from './skip-reasons.tsx'
import { Statistics } from './statistics.tsx'
import { useReportTexts } from './texts.ts'

type Numbers = CampaignReport['channels'][string]

/** The results of its messages; refreshed while it is live. */
export function Report({ campaign }: { campaign: Campaign }) {
  const t = useReportTexts()
  const isLive = campaign.status === 'active'
  const report = useRead<CampaignReport>(`${campaignApi(campaign.id)}/report`, {}, { every: isLive ? 3_000 : 30_000 })
  if (report.error && !report.data) return <Failure error={report.error} onRetry={() => void report.refetch()} />
  if (!report.data) return <Skeleton height={240} />
  const channels = Object.entries(report.data.channels)
  const sends = campaign.dispatchChannels.some((channel) => channel !== 'in_app')
  return (
    <Stack>
      {report.data.missed && (
        <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={t('missed')}>
          {t('missedText')}
        </Alert>
      )}
      <InterruptedNotice campaign={campaign} channels={channels.map(([, numbers]) => numbers)} />
      {channels.length === 0 ? (
        <Paper withBorder p="md">
          <EmptyState icon={IconMailFast} title={t('nothingTitle')} text={t(sends ? 'nothingText' : 'onlyInApp')} />
        </Paper>
      ) : (
        <Section title={t('report')} text={t('reportText')}>
          <ChannelTable channels={channels} />
          <Reasons channels={channels} />
        </Section>
      )}
      {COUNTED_CHANNELS.map((channel) => {
        const isCounted = channels.some(([name]) => name === channel) && (channel === 'email' || isShortened(campaign.content))
        return isCounted && <Responses key={channel} path={`${campaignApi(campaign.id)}/responses`} channel={channel} isLive={isLive} />
      })}
      <Statistics campaign={campaign} />
      <OnePerson campaign={campaign} />
    </Stack>
  )
}

function ChannelTable({ channels }: { channels: [string, Numbers][] }) {
  const t = useReportTexts()
  const format = useFormat()
  const channelName = useChannelName()
  const skippedOf = ({ skipped }: Numbers) => Object.values(skipped).reduce((sum, count) => sum + count, 0)
  return (
    <Wide label={t('byChannel')}>
      <Table aria-label={t('byChannel')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('channel')}</Table.Th>
            {(['people', 'sent', 'failed', 'skipped', 'waiting'] as const).map((name) => (
              <Table.Th key={name} ta="end">
                {t(name)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {channels.map(([channel, numbers]) => {
            const skipped = skippedOf(numbers)
            const done = numbers.attempted + skipped
            const all = done + numbers.waiting
            return (
              <Table.Tr key={channel}>
                <Table.Th scope="row" miw={140}>
                  {channelName(channel)}
                  {all > 0 && (
                    <Progress
                      value={(done / all) * 100}
                      size="sm"
                      mt={4}
                      aria-label={t('progress', { done: format.number(done), all: format.number(all) })}
                    />
                  )}
                </Table.Th>
                <Table.Td ta="end">{format.number(all)}</Table.Td>
                <Table.Td ta="end">{format.number(numbers.sent)}</Table.Td>
                <Table.Td ta="end">{format.number(numbers.failed)}</Table.Td>
                <Table.Td ta="end">{format.number(skipped)}</Table.Td>
                <Table.Td ta="end">{format.number(numbers.waiting)}</Table.Td>
              </Table.Tr>
            )
          })}
        </Table.Tbody>
      </Table>
    </Wide>
  )
}

function Reasons({ channels }: { channels: [string, Numbers][] }) {
  const t = useReportTexts()
  const channelName = useChannelName()
  const hasAny = (counts: Record<string, number>) => Object.values(counts).some((count) => count > 0)
  return (
    <>
      {(['skipped', 'failures'] as const).map((kind) => {
        const told = channels.filter(([, numbers]) => hasAny(numbers[kind]))
        if (told.length === 0) return null
        return (
          <Stack key={kind} gap="xs">
            <Title order={3}>{t(kind === 'skipped' ? 'why' : 'failures')}</Title>
            {told.map(([channel, numbers]) => (
              <div key={channel}>
                <Text size="sm" fw={500}>
                  {channelName(channel)}
                </Text>
                <SkipReasons counts={numbers[kind]} />
              </div>
            ))}
          </Stack>
        )
      })}
    </>
  )
}
