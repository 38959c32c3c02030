import { NativeSelect, Paper, SegmentedControl, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core'
import { LOADED_SOURCES, type LoadedSource } from '@contentflow/core/imports/priorities.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { EnvironmentSwitch } from '../../../ui/environment.tsx'
import { MomentField } from '../../../ui/moments/moment-field.tsx'
import { useTexts } from '../texts.ts'
import { NumberField } from '../../../ui/fields/number-field.tsx'
import type { Draft } from './draft.ts'
import { useImportTexts } from './texts.ts'

type OptionsFormProps = { draft: Draft; isSandbox: boolean; onChange: (part: Partial<Draft>) => void }

/** Settings of the whole import: the source system, the environment, the expiry, and whether the mapping is saved. */
export function OptionsForm({ draft, isSandbox, onChange }: OptionsFormProps) {
  const t = useImportTexts()
  const data = useTexts()
  return (
    <Paper withBorder p="md">
      <Stack gap="md">
        <Title order={2}>{t('options')}</Title>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
          <NativeSelect
            label={t('system')}
            description={t('systemText')}
            value={draft.source}
            data={LOADED_SOURCES.map((value) => ({ value, label: data(`source_${value}`) }))}
            onChange={({ currentTarget }) => onChange({ source: currentTarget.value as LoadedSource })}
          />
          <TextInput
            label={t('saveAs')}
            description={t('saveAsText')}
            value={draft.saveAs}
            maxLength={LIMITS.sourceNameLength}
            onChange={({ currentTarget }) => onChange({ saveAs: currentTarget.value })}
          />
          {!isSandbox && (
            <Stack gap={4} align="start">
              <Text size="sm" fw={500}>
                {t('environment')}
              </Text>
              <EnvironmentSwitch value={draft.environment} onChange={(environment) => onChange({ environment })} />
            </Stack>
          )}
          <Expiry draft={draft} onChange={onChange} />
        </SimpleGrid>
      </Stack>
    </Paper>
  )
}

function Expiry({ draft: { ends, days, date }, onChange }: Omit<OptionsFormProps, 'isSandbox'>) {
  const t = useImportTexts()
  return (
    <Stack gap={6} align="start">
      <Text size="sm" fw={500}>
        {t('ends')}
      </Text>
      <SegmentedControl
        aria-label={t('ends')}
        data={(['never', 'days', 'date'] as const).map((value) => ({ value, label: t(`ends_${value}`) }))}
        value={ends}
        onChange={(value) => onChange({ ends: value })}
      />
      {ends === 'days' && (
        <NumberField
          label={t('days')}
          value={days}
          min={1}
          max={LIMITS.enrichmentDaysMax}
          isWhole
          isNeeded
          onChange={(value) => onChange({ days: value })}
        />
      )}
      {ends === 'date' && <MomentField label={t('date')} value={date} onChange={(value) => onChange({ date: value })} />}
    </Stack>
  )
}
