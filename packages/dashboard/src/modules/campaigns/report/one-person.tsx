import { Button, Group, Skeleton, Table } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { useRead } from '../../../data.ts'
import { useFormat } from '../../../format.ts'
import { useSession } from '../../../session.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { PersonPicker } from '../../../ui/fields/person-picker.tsx'
import { useReasonWords } from '../../../ui/reason-words.ts'
import { Section } from '../../../ui/section.tsx'
import { campaignApi, type Campaign, type CampaignExplanation } from '../api.ts'
import { useChannelName } from '../words.ts'
import { useReportTexts } from './texts.ts'
import { personPath } from '../../../person-path.ts'

/** Why a person gets the campaign or does not. */
export function OnePerson({ campaign }: { campaign: Campaign }) {
  const t = useReportTexts()
  const { workspace } = useSession()
  const [person, setPerson] = useState('')
  return (
    <Section title={t('onePerson')} text={t('onePersonText')}>
      <Group gap="xs">
        <PersonPicker value={person} onChange={setPerson} environment="live" />
        {person !== '' && (
          <Button component={Link} to={`/w/${workspace.id}${personPath({ userId: person })}?tab=messages`} variant="default">
            {t('openMessages')}
          </Button>
        )}
      </Group>
      {person !== '' && <Explanation campaign={campaign} userId={person} />}
    </Section>
  )
}

function Explanation({ campaign, userId }: { campaign: Campaign; userId: string }) {
  const t = useReportTexts()
  const channelName = useChannelName()
  const words = useBecause()
  const explained = useRead<CampaignExplanation>(`${campaignApi(campaign.id)}/explain`, { userId })
  if (explained.error) return <Failure error={explained.error} onRetry={() => void explained.refetch()} />
  if (!explained.data) return <Skeleton height={60} />
  return (
    <Table aria-label={t('onePerson')}>
      <Table.Tbody>
        {explained.data.channels.map((each) => (
          <Table.Tr key={each.channel}>
            <Table.Th scope="row" w={160}>
              {channelName(each.channel)}
            </Table.Th>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              <bdi>{words(each)}</bdi>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

const KNOWN = [
  'sent',
  'sending',
  'waits',
  'shown',
  'ended',
  'campaign_not_active',
  'not_in_audience',
  'not_started',
  'missed',
  'stopped',
  'came_later',
] as const

/** Reasons of a provider stay in its own words. */
function useBecause() {
  const t = useReportTexts()
  const format = useFormat()
  const reasons = useReasonWords()
  return ({ because, until }: CampaignExplanation['channels'][number]) => {
    if (because === 'waits' && until !== null) return t('is_waitsUntil', { at: format.moment(until) })
    const known = KNOWN.find((each) => each === because)
    return known ? t(`is_${known}`) : reasons(because)
  }
}
