import { Alert, List, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useFormat } from '../../../../format.ts'
import type { Impact } from '../api.ts'
import { useServingTexts } from './serving-texts.ts'

type Serving = Impact['serving']

/** What apps show from when to when, and warnings about it. Hidden where it is shown from now on without an end. */
export function ServingNotice({ serving: { periods, warnings } }: { serving: Serving }) {
  const warningText = useWarningText()
  return (
    <Stack gap="sm">
      {warnings.length > 0 && (
        <Alert color="orange" icon={<IconAlertTriangle aria-hidden />} role="alert">
          <Stack gap={4}>
            {warnings.map((warning) => (
              <Text key={warning.code} size="sm">
                {warningText(warning)}
              </Text>
            ))}
          </Stack>
        </Alert>
      )}
      {periods.length > 1 && <Periods periods={periods} />}
    </Stack>
  )
}

function Periods({ periods }: { periods: Serving['periods'] }) {
  const t = useServingTexts()
  const format = useFormat()
  const timeOf = ({ from, until }: Serving['periods'][number], isFirst: boolean) => {
    const words = { from: format.moment(from), until: until === null ? '' : format.moment(until) }
    if (isFirst) return until === null ? t('now') : t('fromNowUntil', words)
    return until === null ? t('from', words) : t('fromUntil', words)
  }
  return (
    <div>
      <Text size="sm" fw={600} mb={4}>
        {t('whenShown')}
      </Text>
      <List size="sm" aria-label={t('whenShown')} spacing={2}>
        {periods.map((period, index) => (
          <List.Item key={period.from}>
            {timeOf(period, index === 0)}:{' '}
            <Text span size="sm" fw={600}>
              {period.shows === 'other' ? t('other', { number: period.revision ?? 0 }) : t(period.shows)}
            </Text>
          </List.Item>
        ))}
      </List>
    </div>
  )
}

function useWarningText(): (warning: Serving['warnings'][number]) => string {
  const t = useServingTexts()
  const format = useFormat()
  return (warning) => {
    switch (warning.code) {
      case 'never_shown':
        return t(`never_shown_${warning.because}`, { at: format.moment(warning.at) })
      case 'nothing_shown': {
        const isNow = Date.parse(warning.from) <= Date.now()
        const words = { from: format.moment(warning.from), until: warning.until === null ? '' : format.moment(warning.until) }
        if (warning.until === null) return t(isNow ? 'nothing_shown_now' : 'nothing_shown', words)
        return t(isNow ? 'nothing_shown_now_until' : 'nothing_shown_until', words)
      }
      case 'variants_never_shown':
        return t('variants_never_shown', { names: format.list(warning.variants) })
      default:
        return warning satisfies never
    }
  }
}
