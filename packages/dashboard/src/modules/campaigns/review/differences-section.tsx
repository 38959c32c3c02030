import { Skeleton, Stack, Text } from '@mantine/core'
import type { AskedChanges } from '@contentflow/core/campaigns/campaign.ts'
import type { CampaignApproval } from '@contentflow/server/wire.ts'
import { useRead } from '../../../data.ts'
import { useFormat } from '../../../format.ts'
import { Failure } from '../../../ui/failure.tsx'
import { Section } from '../../../ui/section.tsx'
import { campaignApi, type Campaign } from '../api.ts'
import { DifferenceList } from './difference-list.tsx'
import { differencesBetween } from './differences.ts'
import { useReviewTexts } from './texts.ts'

/** For the approver: the differences to what was approved before. */
export function Differences({ campaign }: { campaign: Campaign }) {
  const t = useReviewTexts()
  const format = useFormat()
  const isOpen = campaign.status === 'pending_review'
  const { data, error, refetch } = useRead<{ approved: CampaignApproval | null }>(
    `${campaignApi(campaign.id)}/approved`,
    {},
    { when: isOpen },
  )
  if (!isOpen) return null
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={120} />
  const { approved } = data
  return (
    <Section title={t('differences')} text={approved ? t('differencesText', { at: format.moment(approved.approvedAt) }) : undefined}>
      <Stack gap="md">
        {approved ? (
          <DifferenceList
            differences={differencesBetween(partsOf(approved), partsOf(campaign))}
            label={t('differences')}
            after={t('after')}
          />
        ) : (
          <Text size="sm">{t('first')}</Text>
        )}
        {approved ? (
          <details>
            <summary>{t('everything')}</summary>
            <Everything campaign={campaign} />
          </details>
        ) : (
          <Everything campaign={campaign} />
        )}
      </Stack>
    </Section>
  )
}

/** All parts that an approval covers, as text: every language with each of its variants, links, audience, channels and times. */
function Everything({ campaign }: { campaign: Campaign }) {
  const t = useReviewTexts()
  return <DifferenceList differences={differencesBetween({}, partsOf(campaign))} label={t('everything')} />
}

/** The parts that an approval covers. */
function partsOf({
  content,
  segments,
  schedule,
  dispatchChannels,
  controlPercent = 0,
  mail,
  mailParts,
  topic,
}: CampaignApproval | Campaign): AskedChanges {
  const parts = { content, segments, schedule, dispatchChannels, controlPercent, mail: mail ?? null, mailParts }
  return { ...parts, ...(topic !== undefined && { topic }) }
}
