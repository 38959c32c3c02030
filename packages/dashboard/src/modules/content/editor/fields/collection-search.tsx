import { Group, Loader, Select, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useRead } from '../../../../data.ts'
import { StateBadge } from '../../../../ui/state-badge.tsx'
import type { Definition, Summary } from '../api.ts'
import { useTexts } from '../texts.ts'

type Props = { blockKeys: string[]; taken: string[]; label: string; onAdd: (id: string) => void }

/** Finds an instance of the allowed block types by its title or any of its texts. */
export function CollectionSearch({ blockKeys, taken, label, onAdd }: Props) {
  const t = useTexts()
  const [chosenKey, setKey] = useState(blockKeys[0])
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text, 250)
  const [isOpen, setOpen] = useState(false)
  const types = useRead<{ blocks: Pick<Definition, 'key' | 'name'>[] }>('/blocks', { limit: 200 }, { when: blockKeys.length > 1 })
  const found = useRead<{ instances: Summary[] }>(
    '/instances',
    { blockKey: chosenKey, search, limit: 20 },
    { when: isOpen && chosenKey !== undefined },
  )
  const instances = (found.data?.instances ?? []).filter(({ id }) => !taken.includes(id))
  const nameOf = (key: string) => types.data?.blocks.find((type) => type.key === key)?.name ?? key
  if (blockKeys.length === 0) return null
  return (
    <Group gap={6} wrap="nowrap" align="flex-start">
      {blockKeys.length > 1 && (
        <Select
          aria-label={t('typeToAdd', { label })}
          data={blockKeys.map((key) => ({ value: key, label: nameOf(key) }))}
          value={chosenKey}
          onChange={(key) => key && setKey(key)}
          allowDeselect={false}
          w="40%"
        />
      )}
      <Select
        aria-label={t('add', { label })}
        placeholder={t('addPlaceholder')}
        leftSection={<IconPlus size={16} aria-hidden />}
        rightSection={found.isFetching ? <Loader size={14} /> : undefined}
        data={instances.map(({ id, title, label: text }) => ({ value: id, label: title || text || id }))}
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
        nothingFoundMessage={found.isFetching ? t('searching') : t('nothingFound')}
        renderOption={({ option }) => <Option summary={instances.find(({ id }) => id === option.value)} label={option.label} />}
        flex={1}
        miw={0}
      />
    </Group>
  )
}

function Option({ summary, label }: { summary: Summary | undefined; label: string }) {
  return (
    <Group justify="space-between" wrap="nowrap" w="100%" gap="xs">
      <Text size="sm" truncate>
        {label}
      </Text>
      {summary && <StateBadge state={summary.state} />}
    </Group>
  )
}
