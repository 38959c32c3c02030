import { ActionIcon, Badge, Button, Group, Menu } from '@mantine/core'
import { IconBroadcast, IconBroadcastOff, IconChevronDown, IconCopy, IconDots, IconFlask, IconTrash } from '@tabler/icons-react'
import type { Instance } from './api.ts'
import { useEditor } from './editor-context.tsx'
import { usePublicationTexts } from './publication-texts.ts'
import { useTexts } from './texts.ts'
import { useNeedsReview } from './use-needs-review.ts'

export type PendingAction = 'publish_live' | 'publish_test' | 'unpublish_live' | 'unpublish_test' | 'delete' | 'conflict' | 'faults'

type Props = {
  isDirty: boolean
  isSaving: boolean
  onSave: () => void
  onAsk: (asked: PendingAction) => void
  onDuplicate: () => void
  isDuplicating: boolean
}

/** The actions on the instance. A save is not served to anybody; a publication is. */
export function HeadActions({ isDirty, isSaving, onSave, onAsk, onDuplicate, isDuplicating }: Props) {
  const t = useTexts()
  const { instance, isReadOnly } = useEditor()
  if (isReadOnly)
    return (
      <Badge variant="outline" color="gray" tt="none" radius="sm">
        {t('viewOnly')}
      </Badge>
    )
  return (
    <>
      <Button variant="default" onClick={onSave} loading={isSaving} disabled={!isDirty}>
        {t('saveDraft')}
      </Button>
      <PublishMenu instance={instance} isDirty={isDirty} onAsk={onAsk} />
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

/** An environment that has the newest revision already is not offered it again. */
function PublishMenu({ instance, isDirty, onAsk }: { instance: Instance; isDirty: boolean; onAsk: (asked: PendingAction) => void }) {
  const t = useTexts()
  const words = usePublicationTexts()
  const isForReview = useNeedsReview()
  const { head, live, test } = instance
  const isNewForLive = isDirty || live !== head
  const isNewForTest = isDirty || (test ?? live) !== head
  return (
    <Menu position="bottom-end" width={280}>
      <Menu.Target>
        <Button variant={isNewForLive ? 'filled' : 'default'} rightSection={<IconChevronDown size={16} aria-hidden />}>
          {t('publish')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {isNewForLive && (
          <Menu.Item leftSection={<IconBroadcast size={16} aria-hidden />} onClick={() => onAsk('publish_live')}>
            {isForReview ? words('submit') : live === null ? t('publishLive') : t('publishChangesLive')}
          </Menu.Item>
        )}
        {isNewForTest && (
          <Menu.Item leftSection={<IconFlask size={16} aria-hidden />} onClick={() => onAsk('publish_test')}>
            {test === null ? t('publishTest') : t('publishChangesTest')}
          </Menu.Item>
        )}
        {live !== null && (
          <Menu.Item leftSection={<IconBroadcastOff size={16} aria-hidden />} onClick={() => onAsk('unpublish_live')}>
            {t('unpublishLive')}
          </Menu.Item>
        )}
        {test !== null && (
          <Menu.Item leftSection={<IconBroadcastOff size={16} aria-hidden />} onClick={() => onAsk('unpublish_test')}>
            {t('unpublishTest')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
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
  return (
    <Group justify="space-between" gap="xs">
      <span role="status">{t('unsaved', { count })}</span>
      <Group gap="xs">
        <Button variant="subtle" size="xs" color="gray" onClick={onDiscard}>
          {t('discard')}
        </Button>
        <Button size="xs" onClick={onSave} loading={isSaving}>
          {t('saveDraft')}
        </Button>
      </Group>
    </Group>
  )
}
