import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { LIMITS } from '@contentflow/core/limits.ts'
import { usePages, useWrite } from '../../data.ts'
import { useSession } from '../../session.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { instancePath, type BlockType } from './api.ts'
import { DesignPicture } from './design-picture.tsx'
import { useTexts } from './texts.ts'
import { useAll } from './use-all.ts'

type NewInstanceProps = { opened: boolean; /** Chosen beforehand, or empty. */ blockKey: string; onClose: () => void }

/** Chooses a block type and a name, makes a draft and opens it. */
export function NewInstance({ opened, blockKey, onClose }: NewInstanceProps) {
  const t = useTexts()
  return (
    <Dialog opened={opened} onClose={onClose} title={t('newInstance')}>
      <NewInstanceForm key={blockKey} blockKey={blockKey} />
    </Dialog>
  )
}

function NewInstanceForm({ blockKey }: { blockKey: string }) {
  const t = useTexts()
  const { workspace } = useSession()
  const navigate = useNavigate()
  const types = useAll(usePages<BlockType>('/blocks', 'blocks', { limit: 200 }), LIMITS.definitionsPerManifest)
  const [chosen, setChosen] = useState<string | null>(blockKey || null)
  const [title, setTitle] = useState('')
  const create = useWrite<void, { id: string }>(
    () => ({ path: `/blocks/${chosen}/instances`, method: 'POST', body: { title: title.trim() } }),
    { stale: ['/instances', '/content', '/blocks'], showsError: true },
  )
  const byKey = new Map(types.items.map((type) => [type.key, type]))
  const found = chosen ? byKey.get(chosen) : undefined
  const isNothing = !types.isLoading && !types.error && types.items.length === 0
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (chosen) create.mutate(undefined, { onSuccess: ({ id }) => void navigate(instancePath(workspace.id, chosen, id)) })
      }}
    >
      <Stack>
        <Select
          label={t('chooseType')}
          placeholder={t('chooseTypeHint')}
          data={types.items.map(({ key, name }) => ({ value: key, label: name }))}
          value={chosen}
          onChange={setChosen}
          filter={({ options, search }) =>
            options.filter((option) => 'value' in option && matchesType(byKey.get(option.value), search.trim().toLowerCase()))
          }
          renderOption={({ option }) => <TypeOption type={byKey.get(option.value)} />}
          leftSection={found && <DesignPicture design={found.designType} />}
          nothingFoundMessage={t('noTypeFound')}
          error={isNothing && t('noTypesYet')}
          searchable
          openOnFocus={false}
          required
          limit={50}
          maxDropdownHeight={320}
          data-autofocus={!blockKey || undefined}
        />
        <TextInput
          label={t('instanceTitle')}
          description={t('instanceTitleHint')}
          value={title}
          onChange={({ currentTarget }) => setTitle(currentTarget.value)}
          maxLength={LIMITS.instanceTitleLength}
          required
          data-autofocus={blockKey ? true : undefined}
        />
        {types.error && <Failure error={types.error} onRetry={types.retry} />}
        {create.error && <Failure error={create.error} />}
        <Group justify="flex-end">
          <Button type="submit" loading={create.isPending} disabled={!chosen || title.trim() === ''}>
            {t('createDraft')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function TypeOption({ type }: { type: BlockType | undefined }) {
  const t = useTexts()
  if (!type) return null
  return (
    <Group gap="sm" wrap="nowrap" miw={0}>
      <DesignPicture design={type.designType} />
      <div style={{ minWidth: 0 }}>
        <Text size="sm">{type.name}</Text>
        <Text size="xs" c="dimmed">
          {type.screen || t('noScreen')} · <span className="cf-code">{type.key}</span>
        </Text>
      </div>
    </Group>
  )
}

/** Whether name, key or screen have `text`, which is in small letters. */
export function matchesType(type: BlockType | undefined, text: string): boolean {
  return type !== undefined && [type.name, type.key, type.screen].some((part) => part.toLowerCase().includes(text))
}
