import { LIMITS } from '@contentflow/core/limits.ts'
import { TitleField } from '../../ui/fields/title-field.tsx'
import { useEditor } from './editor-context.tsx'
import { useTexts } from './texts.ts'

export function NameField() {
  const t = useTexts()
  const { draft, edit, isLocked } = useEditor()
  return (
    <TitleField
      value={draft.name}
      onChange={(name) => edit({ ...draft, name }, 'name')}
      label={t('name')}
      untitled={t('untitled')}
      maxLength={LIMITS.journeyNameLength}
      isReadOnly={isLocked}
    />
  )
}
