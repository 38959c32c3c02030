import { ActionIcon, Button, Group, Progress, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { LIMITS } from '@contentflow/core/limits.ts'
import { useFormat } from '../../../../format.ts'
import { useUrlState } from '../../../../ui/url-state.ts'
import { useEditor } from '../editor-context.tsx'
import { useFaultText } from '../changes/fault-text.ts'
import { faultAt } from '../changes/faults.ts'
import { evenWeights, freeName, sharesOf, renamedVariant } from './variant-shares.ts'
import { useTexts } from '../texts.ts'
import { ANCHORS } from './setting-bar.tsx'
import type { Variant } from '@contentflow/core/blocks/instance.ts'
import { knownOf, useExperiment } from '../../../experiments/api.ts'
import { Section } from '../../../../ui/section.tsx'
import { NumberField } from '../../../../ui/fields/number-field.tsx'
import { Planner } from '../../../../ui/planner/planner.tsx'

const COLOURS = ['teal', 'blue', 'grape', 'orange', 'cyan', 'pink', 'lime', 'indigo']

/** Several forms of one thing, each for its share of the devices. A device always gets the same one. */
export function VariantsSection() {
  const t = useTexts()
  const format = useFormat()
  const { content, change, faults, instance, isReadOnly } = useEditor()
  const faultText = useFaultText()
  const [, setShown] = useUrlState('values', '*')
  const { variants } = content
  // Only what is stored with variants is an experiment.
  const { data: experiment } = useExperiment(`instance:${instance.id}`, { when: instance.variants.length > 1 })
  const known = experiment && knownOf(experiment)
  const set = (next: Pick<Variant, 'id' | 'weight'>[]) =>
    change(
      { setting: 'variants' },
      next.map(({ id, weight }) => ({ id, weight })),
    )
  const shares = sharesOf(variants)
  const fault = faultAt(faults.saving, { setting: 'variants' })
  const add = () => {
    const id = freeName(variants.map((each) => each.id))
    set(evenWeights([...variants.map((each) => each.id), id]))
    setShown(id)
  }
  return (
    <Section anchor={ANCHORS.variants} title={t('variants')} text={variants.length === 0 ? t('variantsNone') : t('variantsText')}>
      {variants.length > 0 && (
        <Stack gap="xs">
          <Progress.Root size="xl" aria-hidden>
            {variants.map(({ id }, index) => (
              <Progress.Section key={id} value={(shares[index] ?? 0) * 100} color={COLOURS[index % COLOURS.length]} aria-label={id} />
            ))}
          </Progress.Root>
          {variants.map(({ id, weight }, index) => (
            <Group key={index} gap="xs" wrap="nowrap" align="flex-end">
              <VariantName variants={variants} index={index} />
              <NumberField
                label={index === 0 ? t('weight') : undefined}
                aria-label={`${t('weight')}: ${id}`}
                value={weight}
                min={0}
                max={1_000_000}
                isWhole
                isNeeded
                readOnly={isReadOnly}
                onChange={(typed) =>
                  set(variants.map((each, other) => (other === index ? { ...each, weight: typed ?? Number.NaN } : each)))
                }
                w={96}
              />
              <Text size="sm" w={56} ta="end" lh="36px" style={{ fontVariantNumeric: 'tabular-nums' }}>
                {format.percent(shares[index] ?? 0)}
              </Text>
              {!isReadOnly && (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size={36}
                  aria-label={t('remove', { name: id })}
                  onClick={() => set(variants.filter((_, other) => other !== index))}
                >
                  <IconX size={16} aria-hidden />
                </ActionIcon>
              )}
            </Group>
          ))}
          {fault && (
            <Text size="sm" c="var(--mantine-color-error)" role="alert">
              {faultText(fault)}
            </Text>
          )}
        </Stack>
      )}
      {!isReadOnly && (
        <Group gap="xs">
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={add}
            disabled={variants.length >= LIMITS.variantsPerInstance}
          >
            {t('addVariant')}
          </Button>
          {variants.length > 1 && (
            <Button variant="subtle" size="xs" onClick={() => set(evenWeights(variants.map(({ id }) => id)))}>
              {t('shareEvenly')}
            </Button>
          )}
        </Group>
      )}
      {variants.length > 1 && <Planner variants={variants.length} known={known} />}
    </Section>
  )
}

/** The name is used in answers and counts, so values stored under the old name move along. */
function VariantName({ variants, index }: { variants: Variant[]; index: number }) {
  const t = useTexts()
  const { replace, isReadOnly } = useEditor()
  const [shown, setShown] = useUrlState('values', '*')
  const id = variants[index]?.id ?? ''
  return (
    <TextInput
      label={index === 0 ? t('variantName') : undefined}
      aria-label={`${t('variantName')} ${index + 1}`}
      value={id}
      readOnly={isReadOnly}
      maxLength={LIMITS.fieldTextLength}
      onChange={({ currentTarget: { value } }) => {
        replace((content) => renamedVariant(content, index, value))
        if (shown === id) setShown(value)
      }}
      flex={1}
      miw={0}
    />
  )
}
