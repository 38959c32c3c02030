import { ActionIcon, Group, Input, Loader, Select, Stack, Text, TextInput, Tooltip } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconArrowUp, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { MOST_PRODUCTS, type ProductSection, type ProductSource } from '@contentflow/core/mail/products/product-section.ts'
import type { BlockType, Summary } from '@contentflow/server/wire.ts'
import { usePages, useRead } from '../../../../data.ts'
import { changeSection } from '../document/change-mail.ts'
import { useEditing } from '../editing-context.ts'
import { useTexts } from '../texts.ts'
import { ChoiceField } from './choice-field.tsx'
import { useProductItems } from './use-product-items.ts'

type OfContent = Extract<ProductSource, { block: string }>
type Fields = { section: ProductSection }

/** Where products come from: a list that the person has, or content of the workspace. */
export function ProductSourceFields({ section }: Fields) {
  const t = useTexts()
  const { source } = section
  const [from, setFrom] = useState<'trait' | 'block'>('trait' in source ? 'trait' : 'block')
  return (
    <>
      <ChoiceField
        label={t('productsFrom')}
        values={['trait', 'block'] as const}
        nameOf={(each) => t(`productsFrom_${each}`)}
        value={from}
        onChange={setFrom}
      />
      {from === 'trait' ? <TraitField section={section} /> : <ContentFields section={section} />}
    </>
  )
}

function TraitField({ section: { id, source } }: Fields) {
  const t = useTexts()
  const { document, change, endStep } = useEditing()
  return (
    <TextInput
      label={t('productsTrait')}
      description={t('productsTraitHelp')}
      value={'trait' in source ? source.trait : ''}
      onChange={({ currentTarget }) =>
        change(changeSection(document, id, { source: { trait: currentTarget.value.trim() } }), `trait ${id}`)
      }
      onBlur={endStep}
      dir="ltr"
      autoComplete="off"
      spellCheck={false}
      required
    />
  )
}

/** The mail takes the source with the first product: without one it would be refused. */
function ContentFields({ section: { id, source } }: Fields) {
  const t = useTexts()
  const { document, change } = useEditing()
  const types = usePages<BlockType>('/blocks', 'blocks', { limit: 200 })
  const held: OfContent = 'block' in source ? source : { block: '', instances: [] }
  const [picked, setPicked] = useState(held.block)
  const { read, hasFailed } = useProductItems()
  const offered = types.items.filter(({ key, fields }) => key === held.block || fields.some(({ tag }) => tag === '#name'))
  const set = async (block: string, instances: string[]) => {
    const items = await read(block, instances, Object.keys(document.texts))
    if (items) change(changeSection(document, id, { source: { block, instances, items } }))
  }
  const chosen = picked === held.block ? held.instances : []
  if (!types.isLoading && offered.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('productsNoType')}
      </Text>
    )
  return (
    <Stack gap="sm">
      <Select
        label={t('productsType')}
        description={t('productsTypeHelp')}
        inputWrapperOrder={['label', 'input', 'description']}
        data={offered.map(({ key, name }) => ({ value: key, label: name || key }))}
        value={picked === '' ? null : picked}
        onChange={(key) => setPicked(key ?? '')}
        allowDeselect={false}
      />
      {chosen.length > 0 && <Chosen source={held} onChange={(instances) => void set(held.block, instances)} />}
      {picked !== '' && chosen.length < MOST_PRODUCTS && (
        <ContentSearch block={picked} taken={chosen} onAdd={(instance) => void set(picked, [...chosen, instance])} />
      )}
      {hasFailed && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {t('productsFailed')}
        </Text>
      )}
      <Text size="xs" c="dimmed">
        {t('productsPublished')}
      </Text>
    </Stack>
  )
}

/** Those that were chosen, in their order. One stays. */
function Chosen({ source: { block, instances }, onChange }: { source: OfContent; onChange: (instances: string[]) => void }) {
  const t = useTexts()
  const found = useRead<{ instances: { id: string; title: string; values: { [tag: string]: unknown } }[] }>(
    `/blocks/${encodeURIComponent(block)}/instances`,
    { ids: instances.join(','), limit: MOST_PRODUCTS },
  )
  const nameOf = (id: string) => {
    const instance = found.data?.instances.find((each) => each.id === id)
    const said = instance?.values['#name']
    return typeof said === 'string' && said !== '' ? said : instance?.title || id
  }
  const lift = (at: number) => onChange(instances.toSpliced(at, 1).toSpliced(at - 1, 0, instances[at]!))
  return (
    <Input.Wrapper label={t('productsChosen')} labelElement="div">
      <Stack gap={4} mt={4} role="list" aria-label={t('productsChosen')}>
        {instances.map((id, at) => (
          <Group key={id} gap={4} wrap="nowrap" role="listitem">
            <Text size="sm" flex={1} miw={0} truncate dir="auto" className="cf-foreign">
              {nameOf(id)}
            </Text>
            {at > 0 && (
              <Tooltip label={t('productsEarlier', { name: nameOf(id) })}>
                <ActionIcon variant="subtle" color="gray" aria-label={t('productsEarlier', { name: nameOf(id) })} onClick={() => lift(at)}>
                  <IconArrowUp size={16} aria-hidden />
                </ActionIcon>
              </Tooltip>
            )}
            <Tooltip label={t('productsRemove', { name: nameOf(id) })}>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t('productsRemove', { name: nameOf(id) })}
                disabled={instances.length === 1}
                onClick={() => onChange(instances.filter((other) => other !== id))}
              >
                <IconX size={16} aria-hidden />
              </ActionIcon>
            </Tooltip>
          </Group>
        ))}
      </Stack>
    </Input.Wrapper>
  )
}

function ContentSearch({ block, taken, onAdd }: { block: string; taken: readonly string[]; onAdd: (id: string) => void }) {
  const t = useTexts()
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text, 250)
  const [isOpen, setOpen] = useState(false)
  const found = useRead<{ instances: Summary[] }>('/instances', { blockKey: block, search, limit: 20 }, { when: isOpen })
  const offered = (found.data?.instances ?? []).filter(({ id }) => !taken.includes(id))
  return (
    <Select
      label={t('productsAdd')}
      placeholder={t('productsAddHint')}
      data={offered.map(({ id, title, label }) => ({ value: id, label: title || label || id }))}
      filter={({ options }) => options}
      searchable
      searchValue={text}
      onSearchChange={setText}
      value={null}
      onChange={(id) => {
        if (id) onAdd(id)
        setText('')
      }}
      onDropdownOpen={() => setOpen(true)}
      rightSection={found.isFetching ? <Loader size={14} /> : undefined}
      nothingFoundMessage={found.isFetching ? t('productsSearching') : t('productsNone')}
    />
  )
}
