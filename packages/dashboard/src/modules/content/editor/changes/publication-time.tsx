import { SegmentedControl, Stack, Text } from '@mantine/core'
import { useCalendar } from '../../../../calendar.ts'
import { MomentField } from '../../../../ui/moments/moment-field.tsx'
import { usePublicationTexts } from '../publication-texts.ts'

/** `isLater` without `at`: a moment is still to be chosen. */
export type PublicationTime = { isLater: boolean; at: string | undefined }

/** Whether a publication can have this time; one that has passed cannot be chosen. */
export function isPossible({ isLater, at }: PublicationTime, now: number): boolean {
  return !isLater || (at !== undefined && Date.parse(at) > now)
}

/** Now, or at a moment by the clocks of the workspace. */
export function PublicationTimeField({ time, onChange }: { time: PublicationTime; onChange: (time: PublicationTime) => void }) {
  const t = usePublicationTexts()
  const { timeZone } = useCalendar()
  const { isLater, at } = time
  return (
    <Stack gap="xs">
      <SegmentedControl
        aria-label={t('whenToPublish')}
        value={isLater ? 'later' : 'now'}
        onChange={(value) => onChange({ ...time, isLater: value === 'later' })}
        data={[
          { value: 'now', label: t('now') },
          { value: 'later', label: t('atMoment') },
        ]}
        style={{ alignSelf: 'flex-start' }}
      />
      {isLater && (
        <>
          <MomentField
            label={t('moment')}
            placeholder={t('momentMissing')}
            value={at}
            onChange={(moment) => onChange({ ...time, at: moment })}
            error={at !== undefined && !isPossible(time, Date.now()) ? t('momentPast') : undefined}
            isRequired
          />
          <Text size="xs" c="dimmed">
            {t('zone', { zone: timeZone })}
          </Text>
        </>
      )}
    </Stack>
  )
}
