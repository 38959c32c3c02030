import { Anchor, Collapse, Group, List, Paper, Stack, Text } from '@mantine/core'
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useFormat } from '../../../../format.ts'
import { useSession } from '../../../../session.tsx'
import { Failure } from '../../../../ui/failure.tsx'
import { useUrlState } from '../../../../ui/url-state.ts'
import { TraceGroup } from '../../../segments/rules/trace.tsx'
import { useEditor } from '../editor-context.tsx'
import { knownReason, skippedFields, type Explanation, type InstanceExplanation } from './explain.ts'
import { useTexts } from '../texts.ts'
import { personPath } from '../../../../person-path.ts'

type Props = { explained: UseQueryResult<Explanation>; verdict: InstanceExplanation | undefined }

/** Whether this device gets what is published now, and why. */
export function ExplainView({ explained, verdict }: Props) {
  const t = useTexts()
  const reasonText = useReasonText()
  const [opened, setOpened] = useUrlState('why')
  const isOpen = opened !== ''
  if (explained.error && !explained.data) return <Failure error={explained.error} onRetry={() => void explained.refetch()} />
  if (!explained.data || !verdict) return null
  const Icon = verdict.isDelivered ? IconCircleCheck : IconCircleX
  return (
    <Paper withBorder p="xs" role="status">
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <Icon
          size={20}
          aria-hidden
          color={verdict.isDelivered ? 'var(--mantine-color-green-text)' : 'var(--mantine-color-dimmed)'}
          style={{ flex: '0 0 auto' }}
        />
        <Stack gap={2} flex={1} miw={0}>
          <Group justify="space-between" gap="xs">
            <Text size="sm" fw={600}>
              {verdict.isDelivered ? t('getsIt') : t('doesNotGetIt')}
            </Text>
            <Anchor component="button" type="button" size="sm" onClick={() => setOpened(isOpen ? '' : '1')} aria-expanded={isOpen}>
              {isOpen ? t('hideWhy') : t('showWhy')}
            </Anchor>
          </Group>
          {explained.data.isTooLong && (
            <Text size="sm" c="var(--mantine-color-red-text)">
              {t('tooLong')}
            </Text>
          )}
          {(isOpen || !verdict.isDelivered) && <Text size="sm">{reasonText(verdict)}</Text>}
          <Collapse expanded={isOpen}>
            <Evidence device={explained.data.device} verdict={verdict} />
          </Collapse>
        </Stack>
      </Group>
    </Paper>
  )
}

function useReasonText(): (verdict: InstanceExplanation) => string {
  const t = useTexts()
  const format = useFormat()
  return ({ reason, evidence: { schedule, segment } }) => {
    const known = knownReason(reason)
    if (!known) return reason
    const at = reason === 'schedule_ended' ? schedule?.endTime : schedule?.startTime
    return t(`reason_${known}`, { at: at ? format.moment(at) : '', segment: segment?.name ?? '' })
  }
}

function Evidence({ device, verdict: { evidence } }: { device: Explanation['device']; verdict: InstanceExplanation }) {
  const t = useTexts()
  const format = useFormat()
  const { workspace } = useSession()
  const { children, content } = useEditor()
  const { segment, variant } = evidence
  const skipped = skippedFields(segment?.now?.trace.rules ?? [])
  const left = (evidence.children ?? []).filter((child) => !child.isDelivered)
  return (
    <Stack gap="sm">
      <List size="sm" spacing={4} listStyleType="disc" withPadding>
        <List.Item>
          {evidence.publishedTo.length === 0
            ? t('publishedNowhere')
            : t('publishedTo', { where: format.list(evidence.publishedTo.map((each) => t(each === 'live' ? 'liveApp' : 'testApp'))) })}
        </List.Item>
        {device.deviceId !== null && (
          <>
            <List.Item>
              {t(device.consent === 'granted' ? 'consentGranted' : device.consent === 'denied' ? 'consentDenied' : 'consentUnknown')}
              {device.userId !== null && (
                <>
                  {' · '}
                  <Anchor component={Link} to={`/w/${workspace.id}${personPath({ userId: device.userId })}`} size="sm" underline="always">
                    {device.userId}
                  </Anchor>
                </>
              )}
            </List.Item>
            <List.Item>
              {device.segments.length === 0 ? t('inNoSegments') : t('inSegments', { names: format.list(device.segments) })}
            </List.Item>
          </>
        )}
        {variant?.id && content.variants.length > 0 && <List.Item>{t('drawnVariant', { variant: variant.id })}</List.Item>}
        {left.map(({ instanceId, reason }) => {
          const known = knownReason(reason)
          const name = children.get(instanceId)?.instance.title || instanceId
          return <List.Item key={instanceId}>{t('childLeftOut', { name, reason: known ? t(`child_${known}`) : reason })}</List.Item>
        })}
      </List>
      {segment?.now && (
        <Stack gap={4}>
          <Group gap={6}>
            <Text size="sm" fw={500}>
              {t('rulesOf', { name: segment.name })}
            </Text>
          </Group>
          {segment.now.isAddedByHand && <Text size="sm">{t('addedByHand')}</Text>}
          {segment.now.excludedBy.length > 0 && <Text size="sm">{t('excludedBy', { names: format.list(segment.now.excludedBy) })}</Text>}
          <TraceGroup {...segment.now.trace} conditions={segment.now.trace.rules} />
          {skipped.length > 0 && <Text size="sm">{t('skipped', { fields: format.list(skipped) })}</Text>}
          {segment.now.isMember !== segment.isInSnapshot && <Text size="sm">{t('snapshotDiffers')}</Text>}
        </Stack>
      )}
    </Stack>
  )
}
