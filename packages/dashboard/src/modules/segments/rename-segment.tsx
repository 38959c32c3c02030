import { Checkbox, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Confirm } from '../../ui/confirm.tsx'
import type { Segment } from './api.ts'
import { useTexts } from './texts.ts'
import { UseList } from './use-list.tsx'

type RenameProps = {
  segment: Segment
  isOpen: boolean
  isBusy: boolean
  onClose: () => void
  /** `renameUses`: what is for the segment is for it under the new name. */
  onRename: (renameUses: boolean) => void
}

/** Names the content that is for the segment, and what becomes of it. */
export function RenameSegment({ segment, isOpen, isBusy, onClose, onRename }: RenameProps) {
  const t = useTexts()
  const [isWhole, setWhole] = useState(true)
  return (
    <Confirm
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={() => onRename(isWhole)}
      title={t('renameTitle')}
      action={t('renameAction')}
      isDangerous={!isWhole}
      isBusy={isBusy}
    >
      <Stack gap="sm">
        <Text size="sm">{t('renameText', { name: segment.name })}</Text>
        <UseList usedBy={{ ...segment.usedBy, segments: [] }} isWhole />
        <Checkbox checked={isWhole} onChange={({ currentTarget }) => setWhole(currentTarget.checked)} label={t('renameUses')} />
        <Text size="sm" c={isWhole ? 'dimmed' : 'red'} role="status">
          {t(isWhole ? 'renameKept' : 'renameLost')}
        </Text>
      </Stack>
    </Confirm>
  )
}
