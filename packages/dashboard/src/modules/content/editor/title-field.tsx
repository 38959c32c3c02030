import { Textarea, Title } from '@mantine/core'
import { LIMITS } from '@contentflow/core/limits.ts'
import { useEditor } from './editor-context.tsx'
import { useTexts } from './texts.ts'
import classes from './editor.module.css'

/** The name of the instance, which is the title of the page and is edited in place. It is one line that wraps. */
export function TitleField() {
  const t = useTexts()
  const { content, change, isReadOnly } = useEditor()
  const title = content.title || t('untitled')
  if (isReadOnly)
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
        value={content.title}
        onChange={({ currentTarget }) => change({ setting: 'title' }, currentTarget.value.replace(/\s*\n\s*/g, ' '))}
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        maxLength={LIMITS.instanceTitleLength}
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
