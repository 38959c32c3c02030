import { ActionIcon, Group, Stack, TextInput, Tooltip } from '@mantine/core'
import { IconPhotoPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { AssetPicker } from '../../../media/asset-picker.tsx'
import { FileDrop } from '../../../media/file-drop.tsx'
import { useTexts as useMediaTexts } from '../../../media/texts.ts'
import { UploadList } from '../../../media/upload-list.tsx'
import { useUploads } from '../../../media/use-uploads.ts'
import { useEditor } from '../editor-context.tsx'
import type { FieldEditorProps } from './field-editor-props.ts'
import { Thumbnail } from './thumbnail.tsx'
import { useTexts } from '../texts.ts'

/** A picture by its address, with what is found there: typed, chosen from the library, dropped or pasted. */
export function ImageEditor({ label, value, hint, error, onChange }: FieldEditorProps) {
  const t = useTexts()
  const media = useMediaTexts()
  const { isReadOnly } = useEditor()
  const [isChoosing, setChoosing] = useState(false)
  const uploads = useUploads()
  const url = typeof value === 'string' ? value : ''
  const hintUrl = typeof hint === 'string' ? hint : ''
  const take = async (files: readonly File[]) => {
    const [asset] = await uploads.add(files.slice(0, 1))
    if (!asset) return
    onChange(asset.url)
    uploads.dismiss()
  }
  return (
    <FileDrop onFiles={(files) => void take(files)} isOff={isReadOnly} label={media('dropHere')}>
      <Stack gap="xs">
        <Group gap="xs" align="flex-start" wrap="nowrap">
          <Thumbnail url={url || hintUrl} isFaint={url === ''} />
          <TextInput
            aria-label={label}
            value={url}
            placeholder={hintUrl || t('imageHint')}
            onChange={({ currentTarget }) => onChange(currentTarget.value.trim())}
            readOnly={isReadOnly}
            error={error}
            dir="ltr"
            flex={1}
            miw={0}
          />
          {!isReadOnly && (
            <Tooltip label={media('choose')}>
              <ActionIcon variant="default" size={36} aria-label={`${media('choose')}: ${label}`} onClick={() => setChoosing(true)}>
                <IconPhotoPlus size={18} stroke={1.6} aria-hidden />
              </ActionIcon>
            </Tooltip>
          )}
        </Group>
        <UploadList uploads={uploads} />
      </Stack>
      <AssetPicker isOpen={isChoosing} onClose={() => setChoosing(false)} onPick={(asset) => onChange(asset.url)} />
    </FileDrop>
  )
}
