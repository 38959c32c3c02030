import { Group, Select, Text } from '@mantine/core'
import type { Frequency } from '@contentflow/core/blocks/instance.ts'
import { Section } from '../../../../ui/section.tsx'
import { useEditor } from '../editor-context.tsx'
import { useTexts } from '../texts.ts'
import { NumberField } from '../../../../ui/fields/number-field.tsx'
import { ANCHORS } from './setting-bar.tsx'

const PERIODS = ['session', 'day', 'week', 'ever'] as const
/** What devices do when an instance has no frequency (C-POP, `frequency-v1`). */
const DEFAULT: Frequency = { per: 'day', max: 1 }

/** Which instance comes first, and how often one that interrupts may show. */
export function OrderSection() {
  const t = useTexts()
  const { content, change, definition, isReadOnly } = useEditor()
  const interrupts = definition.designType === 'popup' || definition.interruptive === true || content.frequency !== null
  return (
    <Section anchor={ANCHORS.priority} title={t('priority')}>
      <NumberField
        label={t('priorityLabel')}
        description={t('priorityText')}
        value={content.priority}
        min={-1_000_000}
        max={1_000_000}
        isWhole
        isNeeded
        readOnly={isReadOnly}
        onChange={(typed) => change({ setting: 'priority' }, typed ?? Number.NaN)}
        maw={320}
      />
      {interrupts && <FrequencyFields frequency={content.frequency} />}
    </Section>
  )
}

function FrequencyFields({ frequency }: { frequency: Frequency | null }) {
  const t = useTexts()
  const { change, isReadOnly } = useEditor()
  const set = (next: Frequency | null) => change({ setting: 'frequency' }, next)
  return (
    <div role="group" aria-label={t('howOften')}>
      <Text fw={500} size="sm">
        {t('howOften')}
      </Text>
      <Text size="xs" c="dimmed" mb={4}>
        {t('howOftenText')}
      </Text>
      <Group gap="xs">
        <Select
          aria-label={t('period')}
          data={[{ value: 'default', label: t('per_default') }, ...PERIODS.map((per) => ({ value: per, label: t(`per_${per}`) }))]}
          value={frequency?.per ?? 'default'}
          onChange={(chosen) => {
            const per = PERIODS.find((each) => each === chosen)
            set(per ? { per, max: frequency?.max ?? DEFAULT.max } : null)
          }}
          allowDeselect={false}
          readOnly={isReadOnly}
          w={220}
        />
        {frequency && (
          <NumberField
            aria-label={t('times')}
            value={frequency.max}
            min={1}
            max={1000}
            isWhole
            isNeeded
            readOnly={isReadOnly}
            suffix="×"
            onChange={(typed) => set({ ...frequency, max: typed ?? Number.NaN })}
            w={100}
          />
        )}
      </Group>
    </div>
  )
}
