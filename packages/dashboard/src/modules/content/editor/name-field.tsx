import { LIMITS } from '@contentflow/core/limits.ts'
import { TitleField } from '../../../ui/fields/title-field.tsx'
import { useEditor } from './editor-context.tsx'
import { useTexts } from './texts.ts'

export function NameField() {
  const t = useTexts()
  const { content, change, isReadOnly } = useEditor()
  return (
    <TitleField
      value={content.title}
      onChange={(title) => change({ setting: 'title' }, title)}
      label={t('name')}
      untitled={t('untitled')}
      maxLength={LIMITS.instanceTitleLength}
      isReadOnly={isReadOnly}
    />
  )
}
