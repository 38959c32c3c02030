import { ActionIcon, Menu, Stack, Text, TextInput, Button, Group } from '@mantine/core'
import { IconDots, IconFileSettings, IconPencil, IconTrash } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { LIMITS } from '@contentflow/core/limits.ts'
import { usePages, useWrite } from '../../data.ts'
import { useFormat } from '../../format.ts'
import { useSession } from '../../session.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Listing, type Column } from '../../ui/listing.tsx'
import { Moment } from '../../ui/moments/moment.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import type { Source } from './api.ts'
import { useTexts } from './texts.ts'
import { shortened } from './upload-actions.tsx'

/** Saved mappings. They are made while importing. */
export function SourcesTab({ begin }: { begin: ReactNode }) {
  const t = useTexts()
  const sources = usePages<Source>('/enrichment/sources', 'sources', { limit: 50 })
  const columns = useSourceColumns()
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed" maw={720}>
        {t('sourcesText')}
      </Text>
      <Listing
        label={t('tab_sources')}
        pages={sources}
        columns={columns}
        idOf={({ id }) => id}
        empty={
          <EmptyState icon={IconFileSettings} title={t('noSourcesTitle')} text={t('noSourcesText')}>
            {begin}
          </EmptyState>
        }
      />
    </Stack>
  )
}

function useSourceColumns(): Column<Source>[] {
  const t = useTexts()
  const format = useFormat()
  const attributesOf = ({ mapping }: Source) => mapping.columns.filter(({ include }) => include).map(({ name }) => name)
  return [
    {
      id: 'name',
      title: t('name'),
      cell: (source) => (
        <Stack gap={2}>
          <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
            {source.name}
          </Text>
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {format.list(shortened(attributesOf(source), t, format))}
          </Text>
        </Stack>
      ),
    },
    { id: 'system', title: t('source'), isExtra: true, cell: ({ mapping }) => t(`source_${mapping.source}`) },
    { id: 'identity', title: t('identifier'), isExtra: true, cell: ({ mapping }) => <bdi>{mapping.identity.column}</bdi> },
    { id: 'changed', title: t('changed'), isExtra: true, cell: ({ updatedAt }) => <Moment at={updatedAt} /> },
    {
      id: 'actions',
      title: <span className="cf-visually-hidden">{t('actions')}</span>,
      align: 'end',
      cell: (source) => <SourceActions source={source} />,
    },
  ]
}

function SourceActions({ source }: { source: Source }) {
  const t = useTexts()
  const { mayEdit, mayAdmin } = useSession()
  const [open, setOpen] = useState<'rename' | 'remove'>()
  const close = () => setOpen(undefined)
  if (!mayEdit) return null
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t('actionsFor', { name: source.name })}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => setOpen('rename')}>
            {t('rename')}
          </Menu.Item>
          {mayAdmin && (
            <Menu.Item color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => setOpen('remove')}>
              {t('removeSource')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {open === 'rename' && <RenameSource source={source} onClose={close} />}
      <RemoveSource source={source} isOpen={open === 'remove'} onClose={close} />
    </>
  )
}

const STALE = ['/enrichment/sources']
const pathOf = ({ id }: Source) => `/enrichment/sources/${encodeURIComponent(id)}`

function RenameSource({ source, onClose }: { source: Source; onClose: () => void }) {
  const t = useTexts()
  const [name, setName] = useState(source.name)
  const rename = useWrite<{ name: string }>((body) => ({ path: pathOf(source), method: 'PUT', body }), {
    stale: STALE,
    done: t('renamed'),
    showsError: true,
  })
  const isTaken = rename.error?.status === 409
  return (
    <Dialog opened onClose={onClose} title={t('renameTitle')}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          rename.mutate({ name: name.trim() }, { onSuccess: onClose })
        }}
      >
        <Stack gap="md">
          <TextInput
            label={t('name')}
            value={name}
            maxLength={LIMITS.sourceNameLength}
            data-autofocus
            error={isTaken ? t('nameTaken') : undefined}
            onChange={({ currentTarget }) => {
              rename.reset()
              setName(currentTarget.value)
            }}
          />
          {rename.error && !isTaken && <Failure error={rename.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" loading={rename.isPending} disabled={name.trim() === '' || name.trim() === source.name}>
              {t('rename')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

function RemoveSource({ source, isOpen, onClose }: { source: Source; isOpen: boolean; onClose: () => void }) {
  const t = useTexts()
  const remove = useWrite<void>(() => ({ path: pathOf(source), method: 'DELETE' }), { stale: STALE, done: t('removedSource') })
  return (
    <Confirm
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={() => remove.mutate(undefined, { onSuccess: onClose })}
      title={t('removeSourceTitle')}
      action={t('removeSource')}
      isDangerous
      isBusy={remove.isPending}
    >
      {t('removeSourceText', { name: source.name })}
    </Confirm>
  )
}
