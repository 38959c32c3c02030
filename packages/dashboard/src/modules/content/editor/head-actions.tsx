import { ActionIcon, Badge, Button, Group, Menu } from '@mantine/core'
import { IconBroadcast, IconBroadcastOff, IconChevronDown, IconCopy, IconDots, IconFlask, IconTrash } from '@tabler/icons-react'
import type { Environment } from './api.ts'
import { useEditor } from './editor-context.tsx'
import { useTexts } from './texts.ts'

export type Asked = 'publish_live' | 'publish_test' | 'unpublish_live' | 'unpublish_test' | 'delete' | 'conflict' | 'faults'

type Props = {
  isDirty: boolean
  isSaving: boolean
  onSave: () => void
  onAsk: (asked: Asked) => void
  onDuplicate: () => void
  isDuplicating: boolean
}

/** What can be done with the instance. A save of one that is live is a publish, so it is called that. */
export function HeadActions({ isDirty, isSaving, onSave, onAsk, onDuplicate, isDuplicating }: Props) {
  const t = useTexts()
  const { instance, isReadOnly } = useEditor()
  const label = useSaveLabel()
  if (isReadOnly)
    return (
      <Badge variant="outline" color="gray" tt="none" radius="sm">
        {t('viewOnly')}
      </Badge>
    )
  const isLive = instance.targets.includes('live')
  return (
    <>
      <Button variant={isLive ? 'filled' : 'default'} onClick={onSave} loading={isSaving} disabled={!isDirty}>
        {label}
      </Button>
      <PublishMenu targets={instance.targets} onAsk={onAsk} />
      <Menu position="bottom-end" width={240}>
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={t('more')} loading={isDuplicating}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconCopy size={16} aria-hidden />} onClick={onDuplicate}>
            {isDirty ? t('duplicateEdited') : t('duplicate')}
          </Menu.Item>
          <Menu.Item color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => onAsk('delete')}>
            {t('delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  )
}

function PublishMenu({ targets, onAsk }: { targets: Environment[]; onAsk: (asked: Asked) => void }) {
  const t = useTexts()
  const [isLive, isTest] = [targets.includes('live'), targets.includes('test')]
  return (
    <Menu position="bottom-end" width={280}>
      <Menu.Target>
        <Button variant={isLive ? 'default' : 'filled'} rightSection={<IconChevronDown size={16} aria-hidden />}>
          {t('publish')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {!isLive && (
          <Menu.Item leftSection={<IconBroadcast size={16} aria-hidden />} onClick={() => onAsk('publish_live')}>
            {t('publishLive')}
          </Menu.Item>
        )}
        {!isTest && (
          <Menu.Item leftSection={<IconFlask size={16} aria-hidden />} onClick={() => onAsk('publish_test')}>
            {t('publishTest')}
          </Menu.Item>
        )}
        {isLive && (
          <Menu.Item leftSection={<IconBroadcastOff size={16} aria-hidden />} onClick={() => onAsk('unpublish_live')}>
            {t('unpublishLive')}
          </Menu.Item>
        )}
        {isTest && (
          <Menu.Item leftSection={<IconBroadcastOff size={16} aria-hidden />} onClick={() => onAsk('unpublish_test')}>
            {t('unpublishTest')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

/** What saving means for this instance. */
function useSaveLabel(): string {
  const t = useTexts()
  const { targets } = useEditor().instance
  return targets.includes('live') ? t('publishMyChanges') : targets.length > 0 ? t('saveTest') : t('saveDraft')
}

/** Unsaved changes are never out of sight, however long the form is. */
export function UnsavedBar({
  count,
  isSaving,
  onSave,
  onDiscard,
}: {
  count: number
  isSaving: boolean
  onSave: () => void
  onDiscard: () => void
}) {
  const t = useTexts()
  const label = useSaveLabel()
  return (
    <Group justify="space-between" gap="xs">
      <span role="status">{t('unsaved', { count })}</span>
      <Group gap="xs">
        <Button variant="subtle" size="xs" color="gray" onClick={onDiscard}>
          {t('discard')}
        </Button>
        <Button size="xs" onClick={onSave} loading={isSaving}>
          {label}
        </Button>
      </Group>
    </Group>
  )
}
