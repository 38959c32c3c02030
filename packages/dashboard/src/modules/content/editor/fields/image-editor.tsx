import { Group, TextInput } from '@mantine/core'
import { useEditor } from '../editor-context.tsx'
import type { FieldEditorProps } from './field-editor-props.ts'
import { Thumbnail } from './thumbnail.tsx'
import { useTexts } from '../texts.ts'

/** A picture by its address, with what is found there. */
export function ImageEditor({ label, value, hint, error, onChange }: FieldEditorProps) {
  const t = useTexts()
  const { isReadOnly } = useEditor()
  const url = typeof value === 'string' ? value : ''
  const hintUrl = typeof hint === 'string' ? hint : ''
  return (
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
    </Group>
  )
}
