import { Alert, Anchor, List, Stack, Text } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { LIMITS } from '@contentflow/core/limits.ts'
import { Link } from 'react-router'
import { useFormat } from '../../../format.ts'
import { useSession } from '../../../session.tsx'
import { useLanguageName } from '../../strings/language-name.ts'
import { isStopping, type Fault } from '../draft/faults.ts'
import { useEditor } from '../editor-context.tsx'
import { useFaultTexts } from '../texts-faults.ts'

const MOST = {
  nameMissing: LIMITS.journeyNameLength,
  tooManySteps: LIMITS.journeySteps,
  inactivityDays: LIMITS.journeyInactivityDays.max,
  daysBeforeWrong: LIMITS.journeyDaysBefore.max,
  goalDays: LIMITS.journeyGoalDays.max,
  minutesAfterWrong: LIMITS.journeyMinutesAfterPrayer.max,
  placeWrong: LIMITS.journeyPrayerLatitude.max,
  waitWrong: LIMITS.journeyWaitMinutes.max / 1_440,
  tooDeep: LIMITS.journeyLevels - 1,
}

/** A fault in words. */
export function useFaultWords(): (fault: Fault) => string {
  const t = useFaultTexts()
  const format = useFormat()
  const languageName = useLanguageName()
  const { around, wording } = useEditor()
  const named = (codes: string[]) =>
    format.list(codes.map((code) => languageName(around.locales?.find((each) => each.code === code) ?? { code, name: code })))
  return (fault) => {
    switch (fault.kind) {
      case 'segmentGone':
        return t(fault.kind, { name: fault.name })
      case 'languageEmpty':
      case 'linkWrong':
      case 'templateWrong':
        return t(fault.kind, { languages: named([fault.locale]) })
      case 'languageMissing':
        return t(fault.kind, { languages: named(fault.locales) })
      case 'channelOff':
        return t(fault.kind, { channel: wording.t(`channel_${fault.channel}`) })
      case 'nameMissing':
      case 'tooManySteps':
      case 'inactivityDays':
      case 'daysBeforeWrong':
      case 'goalDays':
      case 'minutesAfterWrong':
      case 'placeWrong':
      case 'waitWrong':
      case 'tooDeep':
        return t(fault.kind, { most: format.number(MOST[fault.kind]) })
      case 'dataWrong':
      case 'attributesWrong':
        return t(fault.kind, { event: '\u2068{{event.…}}\u2069', lastEvent: '\u2068{{lastEvent.…}}\u2069' })
      default:
        return t(fault.kind)
    }
  }
}

/** The faults at one place, shown during typing. */
export function FaultList({ faults }: { faults: readonly Fault[] }) {
  const t = useFaultTexts()
  const words = useFaultWords()
  const { workspace } = useSession()
  const stops = faults.some(isStopping)
  return (
    <div role="status">
      {faults.length > 0 && (
        <Alert color={stops ? 'red' : 'yellow'} icon={<IconAlertCircle aria-hidden />} title={t(stops ? 'stops' : 'notes')}>
          <Stack gap={6}>
            <List size="sm" listStyleType="none" spacing={4}>
              {faults.map((fault) => (
                <List.Item key={JSON.stringify(fault)}>
                  <Text size="sm" component="span">
                    {words(fault)}
                  </Text>
                </List.Item>
              ))}
            </List>
            {faults.some(({ kind }) => kind === 'channelOff') && (
              <Anchor component={Link} to={`/w/${workspace.id}/settings/channels`} size="sm" c="inherit" underline="always">
                {t('openSettings')}
              </Anchor>
            )}
          </Stack>
        </Alert>
      )}
    </div>
  )
}
