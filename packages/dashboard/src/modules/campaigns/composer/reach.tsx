import { Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../api.ts'
import { useFormat } from '../../../format.ts'
import { useSession } from '../../../session.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { campaignApi, type CampaignPreview } from '../api.ts'
import { SkipReasons } from '../report/skip-reasons.tsx'
import { useReportTexts } from '../report/texts.ts'
import { useChannelName } from '../words.ts'
import { useTexts } from './texts.ts'

/** Whom the stored campaign would reach on each channel, and why it would not reach the others. */
export function Reach({ id }: { id: string }) {
  const t = useTexts()
  const again = useReportTexts()
  const format = useFormat()
  const reach = useReach(id)
  if (reach.error && !reach.data) return <Failure error={reach.error} onRetry={() => void reach.refetch()} />
  if (!reach.data) return <Skeleton height={64} />
  const { audience, channels, heldUntil } = reach.data
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <div>
          <Title order={3}>{t('reach')}</Title>
          <Text size="xs" c="dimmed">
            {t('reachText')}
          </Text>
        </div>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconRefresh size={14} aria-hidden />}
          loading={reach.isFetching}
          onClick={() => void reach.refetch()}
        >
          {again('countAgain')}
        </Button>
      </Group>
      <Text size="sm">{t('audienceCount', { count: audience, formatted: format.number(audience) })}</Text>
      {Object.entries(channels).map(([channel, counted]) => (
        <Channel key={channel} channel={channel} counted={counted} />
      ))}
      {heldUntil !== null && <Text size="sm">{t('heldUntil', { at: format.moment(heldUntil) })}</Text>}
    </Stack>
  )
}

/** A POST that writes nothing: it works everything out anew. */
export function useReach(id: string, { when = true }: { when?: boolean } = {}) {
  const { workspace } = useSession()
  const path = `${campaignApi(id)}/preview`
  return useQuery({
    queryKey: [workspace.id, path],
    queryFn: async ({ signal }) => (await call<CampaignPreview>(path, { method: 'POST', workspaceId: workspace.id, signal })).data,
    staleTime: 60_000,
    enabled: when,
  })
}

function Channel({ channel, counted }: { channel: string; counted: CampaignPreview['channels'][string] }) {
  const t = useTexts()
  const format = useFormat()
  const name = useChannelName()
  const skipped = Object.values(counted.skipped).reduce((sum, count) => sum + count, 0)
  const numbers = { n: format.number(counted.reachable), all: format.number(counted.reachable + skipped) }
  return (
    <div>
      <Text size="sm" component="div">
        <Text span fw={600} inherit>
          {name(channel)}
        </Text>{' '}
        · {t('reachable', numbers)}
        {!counted.hasProvider && (
          <Text span c="var(--mantine-color-error)" inherit>
            {' '}
            · {t('noProviderShort')}
          </Text>
        )}
      </Text>
      <SkipReasons counts={counted.skipped} />
    </div>
  )
}
