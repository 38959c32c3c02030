import { Anchor, Select, Stack, Text } from '@mantine/core'
import type { Step } from '@contentflow/core/journeys/journey.ts'
import { Link } from 'react-router'
import { useSession } from '../../../session.tsx'
import { useEditor } from '../editor-context.tsx'
import { useStepTexts } from '../texts-steps.ts'
import { ValueRows } from './values/value-rows.tsx'

type WebhookStep = Extract<Step, { type: 'webhook' }>

export function WebhookFields({ step, onChange }: { step: WebhookStep; onChange: (next: Step, mark?: string) => void }) {
  const t = useStepTexts()
  const { endpoints } = useEditor().around
  const { workspace } = useSession()
  const data = [...(endpoints ?? [])].map(([value, { name, isOn }]) => ({
    value,
    label: isOn ? name : t('endpointOff', { name }),
    disabled: !isOn && value !== step.endpoint,
  }))
  return (
    <Stack gap="md">
      <Select
        label={t('endpoint')}
        description={t('endpointHelp')}
        placeholder={t('endpointPlaceholder')}
        data={data}
        value={step.endpoint === '' ? null : step.endpoint}
        onChange={(endpoint) => onChange({ ...step, endpoint: endpoint ?? step.endpoint })}
        allowDeselect={false}
        dir="auto"
      />
      {endpoints?.size === 0 && (
        <Text size="sm">
          {t('noEndpoints')}{' '}
          <Anchor component={Link} to={`/w/${workspace.id}/settings/webhooks`} size="sm">
            {t('openWebhooks')}
          </Anchor>
        </Text>
      )}
      <ValueRows
        label={t('data')}
        description={t('dataHelp')}
        addLabel={t('addMember')}
        values={step.data ?? {}}
        hasTokens
        onChange={(values, mark) => {
          const { data: _, ...others } = step
          onChange(Object.keys(values).length === 0 ? others : { ...others, data: values }, `data ${mark}`)
        }}
      />
    </Stack>
  )
}
