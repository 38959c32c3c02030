import { Stack, Text, Tooltip } from '@mantine/core'
import type { ReactNode } from 'react'
import { IN_APP } from '@contentflow/core/campaigns/campaign.ts'
import { inboxDaysOf } from '@contentflow/core/messages/inbox.ts'
import { isShortened } from '@contentflow/core/messages/short-link.ts'
import { useFormat } from '../../format.ts'
import { Moment } from '../../ui/moments/moment.tsx'
import type { Campaign } from './api.ts'
import { usePartWords } from './part-words.ts'
import { useTexts } from './texts.ts'
import { useMemberName } from './words.ts'

const WAITING: ReadonlySet<string> = new Set(['draft', 'rejected', 'pending_review', 'approved'])

/** Everything but the texts: audience, channels, times, and the responsible members. */
export function CampaignFacts({ campaign }: { campaign: Campaign }) {
  const t = useTexts()
  const format = useFormat()
  const words = usePartWords()
  const memberName = useMemberName()
  const { priority, content, mail, seal, approvedBy, approvedAt } = campaign
  const { startTime, ...schedule } = campaign.schedule
  // Before the launch, a start in the past means nothing.
  const start = startTime !== undefined && (Date.parse(startTime) > Date.now() || !WAITING.has(campaign.status)) ? startTime : undefined
  const hijri = start && format.hijriDate(start)
  const placements = [...new Set(Object.values(content).flatMap(({ placementIds = [] }) => placementIds))]
  const inboxDays = inboxDaysOf(content)
  return (
    <Stack gap="xs" component="dl" m={0}>
      <Fact name={t('audience')}>{words.audience(campaign.segments)}</Fact>
      {campaign.controlPercent !== undefined && <Fact name={t('controlGroup')}>{words.control(campaign.controlPercent)}</Fact>}
      {campaign.topic !== undefined && (
        <Fact name={t('topic')}>
          <bdi>{campaign.topic}</bdi>
        </Fact>
      )}
      <Fact name={t('channels')}>{words.channels(campaign.dispatchChannels)}</Fact>
      {mail && (
        <Fact name={t('mail')}>
          {t(mail.kind === 'html' ? 'mailHtml' : 'mailText', {
            count: mail.sections.length,
            languages: format.list(Object.keys(mail.texts).map((code) => format.language(code))),
          })}
        </Fact>
      )}
      <Fact name={t('languages')}>{format.list(Object.keys(content).map((code) => format.language(code)))}</Fact>
      <Fact name={t('window')}>
        {words.window({ ...schedule, ...(start && { startTime: start }) })}
        {hijri && ` · ${hijri}`}
      </Fact>
      {words.holds(schedule).map(({ name, text }) => (
        <Fact key={name} name={name}>
          {text}
        </Fact>
      ))}
      {schedule.timezone && <Fact name={t('timeZone')}>{schedule.timezone.replaceAll('_', ' ')}</Fact>}
      <Fact name={t('placements')}>{placements.length === 0 ? t('everyPlacement') : format.list(placements)}</Fact>
      {isShortened(content) && <Fact name={t('shortLink')}>{t('shortLinkOn')}</Fact>}
      {inboxDays !== undefined && campaign.dispatchChannels.includes(IN_APP) && <Fact name={t('inInbox')}>{words.inbox(inboxDays)}</Fact>}
      <Fact name={t('priority')}>{format.number(priority)}</Fact>
      {approvedBy !== null && seal && (
        <Fact name={t('status_approved')}>
          {t('approvedText', { name: memberName(approvedBy) })} · <Moment at={approvedAt} exact /> ·{' '}
          <Tooltip label={t('sealText')} multiline w={280}>
            <span className="cf-code">{seal.hash.slice(0, 12)}</span>
          </Tooltip>
        </Fact>
      )}
    </Stack>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <Text component="dt" size="xs" c="dimmed">
        {name}
      </Text>
      <Text component="dd" size="sm" m={0} style={{ overflowWrap: 'anywhere' }}>
        {children}
      </Text>
    </div>
  )
}
