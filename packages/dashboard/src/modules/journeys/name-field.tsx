import { Textarea, Title } from '@mantine/core'
import { LIMITS } from '@contentflow/core/limits.ts'
import { useEditor } from './editor-context.tsx'
import { useTexts } from './texts.ts'
import classes from './journeys.module.css'

/** The name is the title of the page and is edited in place. It is one line that wraps. */
export function NameField() {
  const t = useTexts()
  const { draft, edit, isLocked } = useEditor()
  const title = draft.name.trim() || t('untitled')
  if (isLocked)
    return (
      <Title order={1} dir="auto" className="cf-foreign" style={{ overflowWrap: 'anywhere' }}>
        {title}
      </Title>
    )
  return (
    <>
      <h1 className="cf-visually-hidden">{title}</h1>
      <Textarea
        aria-label={t('name')}
        placeholder={t('untitled')}
        value={draft.name}
        onChange={({ currentTarget }) => edit({ ...draft, name: currentTarget.value.replace(/\s*\n\s*/g, ' ') }, 'name')}
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        maxLength={LIMITS.journeyNameLength}
        dir="auto"
        variant="unstyled"
        autosize
        minRows={1}
        flex={1}
        miw={0}
        classNames={{ input: `${classes.title} cf-foreign` }}
      />
    </>
  )
}
