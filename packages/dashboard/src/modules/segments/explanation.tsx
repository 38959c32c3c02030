import { Alert, Paper, Skeleton, Stack, Text } from '@mantine/core'
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import { ApiError } from '../../api.ts'
import { useFormat } from '../../format.ts'
import { Failure } from '../../ui/failure.tsx'
import { PersonPicker } from '../../ui/fields/person-picker.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { EnvironmentSwitch, useEnvironment, type Environment } from '../../ui/environment.tsx'
import { useExplanation, type Explanation } from './api.ts'
import { PersonLink } from './preview-panel.tsx'
import { TraceGroup } from './rules/trace.tsx'
import { useTexts } from './texts.ts'

/** Asks for a person and says which rows hold for them. */
export function ExplainOne({ segmentId, name }: { segmentId: string; name: string }) {
  const t = useTexts()
  const [person, setPerson] = useUrlState('person')
  const [environment, setEnvironment] = useEnvironment()
  return (
    <Stack maw={760}>
      <Text c="dimmed" size="sm">
        {t('explainLead')}
      </Text>
      <Stack gap="xs" align="flex-start">
        <PersonPicker value={person} onChange={setPerson} environment={environment} />
        <EnvironmentSwitch value={environment} onChange={setEnvironment} />
      </Stack>
      {person !== '' && (
        <Paper withBorder p="md">
          <WhyMember segmentId={segmentId} name={name} person={person} environment={environment} isLinked />
        </Paper>
      )}
    </Stack>
  )
}

/** Why this person is in the segment or not. */
export function WhyMember({ segmentId, name, person, environment, isLinked }: WhyProps) {
  const t = useTexts()
  const { data, error, refetch, isPlaceholderData } = useExplanation(segmentId, person, environment)
  if (error instanceof ApiError && error.status === 404) return <Text size="sm">{t('explainNobody')}</Text>
  if (error) return <Failure error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={120} />
  return (
    <Stack aria-busy={isPlaceholderData}>
      {isLinked && <PersonLink userId={data.userId} deviceId={data.deviceId} />}
      <Outcome explanation={data} name={name} />
      <TraceGroup logicalOperator={data.trace.logicalOperator} conditions={data.trace.rules} held={data.trace.held} />
    </Stack>
  )
}

type WhyProps = { segmentId: string; name: string; person: string; environment: Environment; isLinked?: boolean }

function Outcome({ explanation, name }: { explanation: Explanation; name: string }) {
  const t = useTexts()
  const format = useFormat()
  const { isMember, isStored, isAddedByHand, excludedBy } = explanation
  const reasons = [
    ...(isAddedByHand ? [t('byHand')] : []),
    ...(excludedBy.length > 0 ? [t('keptOut', { segments: format.list(excludedBy) })] : []),
    ...(isMember === isStored ? [] : [t('notYet')]),
  ]
  const Picture = isMember ? IconCircleCheck : IconCircleX
  return (
    <Alert color={isMember ? 'teal' : 'gray'} icon={<Picture aria-hidden />} title={t(isMember ? 'isIn' : 'isOut', { segment: name })}>
      {reasons.length > 0 &&
        reasons.map((reason) => (
          <Text key={reason} size="sm">
            {reason}
          </Text>
        ))}
    </Alert>
  )
}
