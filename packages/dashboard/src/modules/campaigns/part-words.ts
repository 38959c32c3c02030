/** The members of a campaign as sentences. */
import { useFormat } from '../../format.ts'
import type { CampaignSchedule } from '@contentflow/core/campaigns/campaign.ts'
import { usePlaceName } from '../../ui/places/places.ts'
import { useTexts } from './texts.ts'
import { useChannelName, useSegmentName } from './words.ts'

export type Window = Partial<CampaignSchedule>

export function usePartWords() {
  const t = useTexts()
  const format = useFormat()
  const channelName = useChannelName()
  const segmentName = useSegmentName()
  const placeName = usePlaceName()
  return {
    audience: (segments: readonly string[]) => (segments.length === 0 ? t('nobody') : format.list(segments.map(segmentName))),
    control: (percent: number) => (percent === 0 ? t('controlNone') : t('controlText', { percent: format.percent(percent / 100) })),
    channels: (channels: readonly string[]) => (channels.length === 0 ? t('noChannel') : format.list(channels.map(channelName))),
    inbox: (days: number) => t('inboxDays', { days: format.number(days) }),
    shorten: (isShort: boolean) => t(isShort ? 'shortLinkOn' : 'shortLinkOff'),
    window: ({ startTime, endTime }: Window) =>
      [
        startTime === undefined ? t('fromLaunch') : t('from', { at: format.moment(startTime) }),
        endTime === undefined ? t('noEnd') : t('until', { at: format.moment(endTime) }),
      ].join(' '),
    /** Times in which nothing is sent. */
    holds: ({ quietHours, prayerBlackout }: Window) => [
      ...(quietHours ? [{ name: t('quietHours'), text: t('quietFromTo', quietHours) }] : []),
      ...(prayerBlackout?.enabled
        ? [
            {
              name: t('prayerPause'),
              text: t('prayerText', {
                before: prayerBlackout.minutesBefore,
                after: prayerBlackout.minutesAfter,
                place: placeName(prayerBlackout),
              }),
            },
          ]
        : []),
    ],
  }
}
