import { ActionIcon, Button, Group, Stack, Tabs, Text, TextInput, Tooltip, useDirection } from '@mantine/core'
import { IconArrowLeft, IconArrowRight, IconPlus, IconX } from '@tabler/icons-react'
import { LIMITS } from '@contentflow/core/limits.ts'
import { NumberField } from '../../../../ui/fields/number-field.tsx'
import { Planner } from '../../../../ui/planner/planner.tsx'
import { freeName } from '../../../content/editor/delivery/variant-shares.ts'
import { useComposer } from '../composer-context.tsx'
import { useFaultText } from '../use-fault-text.ts'
import type { DraftVariant } from './draft-variant.ts'
import { useVariantTexts } from './texts.ts'

/** The variants of all languages: how many there are, and which one is written just now. */
export function VariantBar() {
  const t = useVariantTexts()
  const { draft, change, variant, setVariant } = useComposer()
  const { variants } = draft
  const add = () => {
    change({ variants: [...variants, { id: freeName(variants.map(({ id }) => id)), weight: 1, texts: {} }] })
    setVariant(variants.length)
  }
  const open = variant !== null && variant < variants.length ? variant : null
  return (
    <Stack gap="xs" role="group" aria-label={t('variants')}>
      <Group justify="space-between" gap="xs" align="flex-start">
        <div style={{ flex: '1 1 240px' }}>
          <Text size="sm" fw={600}>
            {t('variants')}
          </Text>
          <Text size="sm" c="dimmed">
            {t(variants.length === 0 ? 'none' : 'text')}
          </Text>
        </div>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={add}
          disabled={variants.length >= LIMITS.variantsPerInstance}
        >
          {t('add')}
        </Button>
      </Group>
      {variants.length > 0 && (
        <Tabs variant="pills" value={String(open)} onChange={(next) => setVariant(next === null || next === 'null' ? null : Number(next))}>
          <Tabs.List aria-label={t('variants')}>
            <Tabs.Tab value="null">{t('base')}</Tabs.Tab>
            {variants.map(({ id }, index) => (
              <Tabs.Tab key={index} value={String(index)}>
                {t('variant', { name: id })}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        </Tabs>
      )}
      {open !== null && <VariantHead index={open} />}
      {variants.length > 1 && <Planner variants={variants.length} known="recent" />}
    </Stack>
  )
}

/** Name, weight and place of the one that is open. */
function VariantHead({ index }: { index: number }) {
  const t = useVariantTexts()
  const { draft, change, setVariant } = useComposer()
  const { variants } = draft
  const faultAt = useFaultText()
  const each = variants[index]
  if (!each) return null
  const set = (part: Partial<DraftVariant>) =>
    change({ variants: variants.map((other, at) => (at === index ? { ...other, ...part } : other)) })
  const error = faultAt({ kind: 'variantName', variant: index }) ?? faultAt({ kind: 'variantTwice', variant: index })
  return (
    <Group gap="xs" align="flex-start">
      <TextInput
        label={t('name')}
        value={each.id}
        onChange={({ currentTarget }) => set({ id: currentTarget.value })}
        maxLength={100}
        error={error}
        flex="1 1 160px"
        miw={0}
        dir="auto"
        autoComplete="off"
      />
      <NumberField
        label={t('weight')}
        value={each.weight}
        onChange={(typed) => set({ weight: typed ?? Number.NaN })}
        min={1}
        max={1_000_000}
        isWhole
        isNeeded
        w={110}
      />
      <Group gap={4} mt={{ base: 0, xs: 24 }} wrap="nowrap">
        <Move index={index} by={-1} name={each.id} />
        <Move index={index} by={1} name={each.id} />
        <Tooltip label={t('remove', { name: each.id })}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={36}
            aria-label={t('remove', { name: each.id })}
            onClick={() => {
              setVariant(null)
              change({ variants: variants.filter((_, at) => at !== index) })
            }}
          >
            <IconX size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Group>
    </Group>
  )
}

function Move({ index, by, name }: { index: number; by: 1 | -1; name: string }) {
  const t = useVariantTexts()
  const { dir } = useDirection()
  const { draft, change, setVariant } = useComposer()
  const { variants } = draft
  const to = index + by
  const label = t(by < 0 ? 'moveEarlier' : 'moveLater', { name })
  const Arrow = by < 0 === (dir === 'rtl') ? IconArrowRight : IconArrowLeft
  const move = () => {
    const next = variants.filter((_, at) => at !== index)
    const moved = variants[index]
    if (moved) next.splice(to, 0, moved)
    change({ variants: next })
    setVariant(to)
  }
  if (variants.length < 2) return null
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" size={36} aria-label={label} onClick={move} disabled={to < 0 || to >= variants.length}>
        <Arrow size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}
