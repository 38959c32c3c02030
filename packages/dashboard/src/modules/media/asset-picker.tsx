import { FileButton, Button, Group, Stack } from '@mantine/core'
import { IconPhoto, IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { usePages } from '../../data.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { NothingFound } from '../../ui/nothing-found.tsx'
import { SearchField } from '../../ui/fields/search-field.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import type { Asset } from './api.ts'
import { AssetGrid } from './asset-grid.tsx'
import { FileDrop } from './file-drop.tsx'
import { useTexts } from './texts.ts'
import { UploadList } from './upload-list.tsx'
import { useUploads } from './use-uploads.ts'

type AssetPickerProps = { isOpen: boolean; onClose: () => void; onPick: (asset: Asset) => void }

/** A picture of the library, or a new one. */
export function AssetPicker({ isOpen, onClose, onPick }: AssetPickerProps) {
  const t = useTexts()
  return (
    <Dialog opened={isOpen} onClose={onClose} title={t('chooseTitle')} size="xl" closeButtonProps={{ 'aria-label': t('close') }}>
      {isOpen && (
        <Choice
          onPick={(asset) => {
            onPick(asset)
            onClose()
          }}
        />
      )}
    </Dialog>
  )
}

function Choice({ onPick }: { onPick: (asset: Asset) => void }) {
  const t = useTexts()
  const [search, setSearch] = useState('')
  const uploads = useUploads()
  const pages = usePages<Asset>('/content', 'content', { search, kind: 'image' })
  const add = async (files: readonly File[]) => {
    const [first] = await uploads.add(files)
    if (first?.kind === 'image') onPick(first)
  }
  return (
    <FileDrop onFiles={(files) => void add(files)} label={t('drop')} takesAllPastes>
      <Stack mih={360}>
        <Group justify="space-between" gap="xs">
          <SearchField value={search} onChange={setSearch} label={t('search')} />
          <FileButton onChange={(file) => file && void add([file])} accept="image/*" inputProps={{ 'aria-label': t('upload') }}>
            {(props) => (
              <Button {...props} variant="default" leftSection={<IconUpload size={16} aria-hidden />}>
                {t('upload')}
              </Button>
            )}
          </FileButton>
        </Group>
        <UploadList uploads={uploads} />
        <AssetGrid
          pages={pages}
          onOpen={onPick}
          label={t('chooseTitle')}
          empty={
            search === '' ? <EmptyState icon={IconPhoto} title={t('emptyTitle')} text={t('emptyText')} /> : <NothingFound search={search} />
          }
        />
      </Stack>
    </FileDrop>
  )
}
